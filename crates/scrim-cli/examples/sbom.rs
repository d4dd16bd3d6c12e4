//! Prints the software bill of materials of the `scrim` binary: `CycloneDX` 1.5 as JSON, made from `cargo metadata` and
//! `Cargo.lock`. `supply-chain/sbom` writes it to `crates/scrim-cli/sbom.cdx.json`, which the binary prints with
//! `scrim --version --sbom`.
//!
//! The same lock file gives the same bytes: there is no time and no serial number in it. It names the crates of all
//! platforms, with build dependencies and without those of tests. Crates that only run while it is compiled have the scope
//! `excluded`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool of the build, not a part of the product"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const BINARY: &str = "scrim-cli";

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lock = std::fs::read_to_string(root.join("Cargo.lock"))?;
    let metadata = Metadata::read(&root)?;
    let sums = checksums(&lock)?;
    let bill = bill(&metadata, &sums, &scrim_io::sha256(lock.as_bytes()))?;
    println!("{}", serde_json::to_string_pretty(&bill)?);
    Ok(())
}

/// What cargo says about the packages, by their ids.
struct Metadata {
    packages: BTreeMap<String, Value>,
    nodes: BTreeMap<String, Value>,
}

impl Metadata {
    fn read(root: &Path) -> Result<Self, Box<dyn Error>> {
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["metadata", "--format-version", "1", "--locked"])
            .current_dir(root)
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err("cargo metadata failed".into());
        }
        let all: Value = serde_json::from_slice(&output.stdout)?;
        let by_id = |list: &Value| {
            let list = list.as_array().into_iter().flatten();
            list.map(|entry| (text(&entry["id"]).to_owned(), entry.clone()))
                .collect()
        };
        Ok(Self {
            packages: by_id(&all["packages"]),
            nodes: by_id(&all["resolve"]["nodes"]),
        })
    }

    /// The id of the package that makes the binary.
    fn binary(&self) -> Result<&str, String> {
        let mut packages = self.packages.iter();
        let own = packages.find(|(_, package)| package["name"] == BINARY);
        own.map(|(id, _)| id.as_str())
            .ok_or_else(|| format!("cargo metadata knows no package {BINARY}"))
    }

    fn is_macro(&self, id: &str) -> bool {
        let targets = self.packages[id]["targets"].as_array();
        let mut kinds = targets.into_iter().flatten().map(|target| &target["kind"]);
        kinds.any(|kind| kind == &json!(["proc-macro"]))
    }

    /// The packages that one depends on, for one of these kinds; cargo writes `null` for a normal dependency.
    fn dependencies(&self, id: &str, kinds: &[Value]) -> BTreeSet<&str> {
        let dependencies = self.nodes[id]["deps"].as_array().into_iter().flatten();
        let wanted = dependencies.filter(|dependency| {
            let mut found = dependency["dep_kinds"].as_array().into_iter().flatten();
            found.any(|found| kinds.contains(&found["kind"]))
        });
        wanted.map(|dependency| text(&dependency["pkg"])).collect()
    }

    /// All packages that one needs, itself included. Into macros it only goes where they count.
    fn closure<'a>(&'a self, from: &'a str, kinds: &[Value], macros: bool) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            for next in self.dependencies(id, kinds) {
                if (macros || !self.is_macro(next)) && found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    }

    /// The package URL.
    fn url(&self, id: &str) -> String {
        let package = &self.packages[id];
        format!(
            "pkg:cargo/{}@{}",
            text(&package["name"]),
            text(&package["version"]).replace('+', "%2B")
        )
    }
}

/// The checksum of each package of the lock file, by name and version.
fn checksums(lock: &str) -> Result<BTreeMap<(String, String), String>, Box<dyn Error>> {
    let lock: toml::Table = lock.parse()?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let packages = packages.ok_or("there is no package in Cargo.lock")?;
    let entry = |package: &toml::Value| {
        let field = |name| Some(package.get(name)?.as_str()?.to_owned());
        Some(((field("name")?, field("version")?), field("checksum")?))
    };
    Ok(packages.iter().filter_map(entry).collect())
}

fn bill(
    metadata: &Metadata,
    sums: &BTreeMap<(String, String), String>,
    lock: &str,
) -> Result<Value, String> {
    let binary = metadata.binary()?;
    let (normal, build) = (Value::Null, json!("build"));
    let all = metadata.closure(binary, &[normal.clone(), build.clone()], true);
    let linked = metadata.closure(binary, std::slice::from_ref(&normal), false);
    // Sorted by URL: the ids of packages in the repository have its path in them, which differs from desk to desk.
    let by_url: BTreeMap<String, &str> = all.iter().map(|id| (metadata.url(id), *id)).collect();
    let others = by_url.iter().filter(|(_, id)| **id != binary);
    let components = others.map(|(_, id)| component(metadata, sums, id, linked.contains(id)));
    let dependencies = by_url.iter().map(|(url, id)| {
        let needed = metadata.dependencies(id, &[normal.clone(), build.clone()]);
        let needed: BTreeSet<String> = needed.iter().map(|id| metadata.url(id)).collect();
        json!({ "ref": url, "dependsOn": needed })
    });
    let mut own = component(metadata, sums, binary, true);
    own["type"] = json!("application");
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": own,
            "properties": [{ "name": "scrim:cargo-lock:sha256", "value": lock }],
        },
        "components": components.collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    }))
}

fn component(
    metadata: &Metadata,
    sums: &BTreeMap<(String, String), String>,
    id: &str,
    linked: bool,
) -> Value {
    let package = &metadata.packages[id];
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let url = metadata.url(id);
    let mut component = json!({
        "type": "library",
        "bom-ref": url,
        "name": name,
        "version": version,
        "scope": if linked { "required" } else { "excluded" },
    });
    if let Some(sum) = sums.get(&(name.to_owned(), version.to_owned())) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
    }
    if let Some(license) = package["license"].as_str() {
        // Old manifests separate alternatives by a slash, which is no SPDX expression.
        let license = license.replace('/', " OR ").replace("  OR  ", " OR ");
        component["licenses"] = json!([{ "expression": license }]);
    }
    component["purl"] = json!(url);
    component
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
