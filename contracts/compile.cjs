// The Solidity compiler of the npm package `solc` as a process of its own: standard JSON in, standard JSON out.
const { readFileSync, writeSync } = require('node:fs')

/**
 * The compiler calls millions of its functions through JavaScript, which looks each up in a table. The engine makes that slow: a
 * quarter of the compiling went into it. What stands in the table once stays there.
 */
function rememberEntries() {
  const { get } = WebAssembly.Table.prototype
  let table
  let entries
  WebAssembly.Table.prototype.get = function (index) {
    if (this !== table) {
      table = this
      entries = new Array(this.length)
    }
    entries[index] ??= get.call(this, index)
    return entries[index]
  }
}

function compile(input) {
  rememberEntries()
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
      // A full pipe is not a failure: the other side is still reading.
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

if (require.main === module) writeAll(compile(readFileSync(0, 'utf8')))

module.exports = { compile, writeAll }
