/** The programs of a built tree, by the name of their file. */
export const PROGRAMS = /** @type {const} */ ({
  api: 'apps/server/src/main.api.ts',
  worker: 'apps/server/src/main.worker.ts',
  embedded: 'apps/demo/src/main.ts',
  tally: 'apps/cli/src/main.ts',
  // Run by the build itself, for the document that the servers then only read.
  document: 'apps/server/src/main.document.ts',
  'chain-node': 'packages/embedded/src/chain/edr/main.ts',
})
