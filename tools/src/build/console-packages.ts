import { build, type Metafile } from 'esbuild'
import { repositoryRoot } from '../support/repository.ts'

/** Whose code a page of the console contains. Its own build is another one; what is imported is the same. */
export async function consoleMetafile(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: ['apps/console/src/main.tsx'],
    outdir: 'dist',
    ...{ bundle: true, splitting: true, write: false, metafile: true, format: 'esm', platform: 'browser' },
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['style', 'module'],
    loader: { '.svg': 'empty', '.woff2': 'empty' },
    logLevel: 'error',
  })
  return metafile
}
