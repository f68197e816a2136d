#!/usr/bin/env node
process.argv.splice(2, 0, 'tally')
await import('../../../tools/bin/run-program.mjs')
