#!/usr/bin/env node
// The part of solc's command line that forge uses, answered by the WebAssembly compiler of the npm package `solc`,
// so that an `npm install` is the whole toolchain.
const { readFileSync, writeSync } = require('node:fs')
const { relative, resolve } = require('node:path')

const options = process.argv.slice(2)

if (options.includes('--version')) {
  // forge asks on every run: the answer comes from the manifest, without loading 8 MB of WebAssembly.
  const { version } = require('solc/package.json')
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else if (options.includes('--standard-json')) {
  const input = JSON.parse(readFileSync(0, 'utf8'))
  const forgeNames = new Map(Object.keys(input.sources).map((name) => [relativeName(name), name]))
  input.sources = renameKeys(input.sources, relativeName)
  const output = JSON.parse(compile(JSON.stringify(input)))
  const forgeName = (name) => forgeNames.get(name) ?? name
  for (const part of ['sources', 'contracts']) {
    if (output[part]) output[part] = renameKeys(output[part], forgeName)
  }
  writeAll(JSON.stringify(output))
} else {
  process.stderr.write(`solc.cjs: only --version and --standard-json are supported, not: ${options.join(' ')}\n`)
  process.exitCode = 1
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

function compile(input) {
  const compiler = require('solc/soljson.js')
  // The package's own compile() copies the input onto the WebAssembly stack, which overflows at about 3 MB of sources
  // ("memory access out of bounds"). A pointer into the heap has no such limit.
  const size = compiler.lengthBytesUTF8(input) + 1
  const pointer = compiler._solidity_alloc(size)
  compiler.stringToUTF8(input, pointer, size)
  return compiler.UTF8ToString(compiler._solidity_compile(pointer, 0, 0))
}

function writeAll(text) {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      // A full pipe is not a failure: forge is still reading.
      if (error.code !== 'EAGAIN') throw error
    }
  }
}
