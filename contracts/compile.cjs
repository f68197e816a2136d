// The Solidity compiler of the npm package `solc` as a process of its own: standard JSON in, standard JSON out.
const { readFileSync, writeSync } = require('node:fs')
const { callDirectly } = require('./direct-calls.cjs')

function compile(input) {
  const file = require.resolve('solc/soljson.js')
  callDirectly(file)
  const compiler = require(file)
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
      // A full pipe is not a failure: the other side is still reading.
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

if (require.main === module) writeAll(compile(readFileSync(0, 'utf8')))

module.exports = { compile, writeAll }
