//! The logarithm of the gamma function and its derivative, for arguments above 0, to about 1e-14 of themselves.
//!
//! **Holds because** both follow their asymptotic series (Stirling's) once the argument is at least 12; smaller ones are
//! brought up by x Γ(x) = Γ(x + 1).

/// From here on the series is taken.
const LARGE: f64 = 12.0;

/// ln Γ(x).
pub(super) fn ln_gamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < LARGE {
        below += x.ln();
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = 1.0 / 12.0
        - square
            * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0)));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series / x - below
}

/// The derivative of ln Γ at x.
pub(super) fn digamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < LARGE {
        below += 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = square
        * (1.0 / 12.0
            - square
                * (1.0 / 120.0 - square * (1.0 / 252.0 - square * (1.0 / 240.0 - square / 132.0))));
    x.ln() - 0.5 / x - series - below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_and_harmonic_numbers_come_out() {
        let (mut factorial, mut harmonic) = (0.0f64, 0.0);
        for number in 1..60 {
            let x = f64::from(number);
            assert!(
                (ln_gamma(x) - factorial).abs() < 1e-12 * factorial.max(1.0),
                "{x}"
            );
            // ψ(n) = H(n−1) − γ
            assert!(
                (digamma(x) - (harmonic - 0.577_215_664_901_532_9)).abs() < 1e-13,
                "{x}"
            );
            factorial += x.ln();
            harmonic += 1.0 / x;
        }
        // Γ(1/2) = √π, ψ(1/2) = −γ − 2 ln 2
        assert!((ln_gamma(0.5) - 0.5 * std::f64::consts::PI.ln()).abs() < 1e-13);
        let half = -0.577_215_664_901_532_9 - 2.0 * std::f64::consts::LN_2;
        assert!((digamma(0.5) - half).abs() < 1e-13);
    }
}
