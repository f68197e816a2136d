#!/usr/bin/env node
// The part of solc's command line that forge uses, answered by the WebAssembly compiler of the npm package `solc`,
// so that an `npm install` is the whole toolchain.
const { readFileSync } = require('node:fs')
const { relative, resolve } = require('node:path')
const { compile, writeAll } = require('./compile.cjs')

const options = process.argv.slice(2)

if (options.includes('--version')) {
  // forge asks on every run: the answer comes from the manifest, without loading 8 MB of WebAssembly.
  const { version } = require('solc/package.json')
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else if (options.includes('--standard-json')) {
  const input = JSON.parse(readFileSync(0, 'utf8'))
  const forgeNames = new Map(Object.keys(input.sources).map((name) => [relativeName(name), name]))
  input.sources = renameKeys(input.sources, relativeName)
  input.settings.outputSelection = renameKeys(input.settings.outputSelection, (name) =>
    name === '*' ? name : relativeName(name),
  )
  answer(input).then((output) => {
    const forgeName = (name) => forgeNames.get(name) ?? name
    for (const part of ['sources', 'contracts']) {
      if (output[part]) output[part] = renameKeys(output[part], forgeName)
    }
    writeAll(JSON.stringify(output))
  })
} else {
  process.stderr.write(`solc.cjs: only --version and --standard-json are supported, not: ${options.join(' ')}\n`)
  process.exitCode = 1
}

/** Code that is optimized is the repository's own build, which takes minutes and is therefore shared. */
async function answer(input) {
  if (!input.settings.optimizer?.enabled) return JSON.parse(compile(JSON.stringify(input)))
  const { tsImport } = await import('tsx/esm/api')
  const { compileBuild } = await tsImport('../tools/src/solidity/compile-build.ts', __filename)
  return compileBuild(input)
}

// forge names a package's file by its relative path where one of our files imports it and by its absolute path
// elsewhere, so the same type would exist twice. One name, and one that is the same on every machine, as the compiled
// code has to be.
function relativeName(name) {
  return relative(process.cwd(), resolve(name))
}

function renameKeys(record, rename) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [rename(name), value]))
}
