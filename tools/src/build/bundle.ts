import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { PROGRAMS } from '../../bin/programs.mjs'
import { repositoryRoot } from '../support/repository.ts'

/** What our programs read at run time. A built tree has it at the same place as the repository. */
export const RUN_TIME_FILES = [
  'apps/console/dist',
  'apps/server/fonts',
  'apps/server/migrations',
  'apps/server/src/docs-site/browser',
  'apps/server/src/platform/http/openapi/examples.json',
  'apps/demo/src/register',
  'docs',
]

/** What a build writes there beside them. */
export const WRITTEN_DOCUMENT = 'apps/server/src/platform/http/openapi/document.json'

/** The chain node is a program of its own; a built tree has it beside the place of its source. */
export const CHAIN_NODE = PROGRAMS['chain-node'].replace(/[.]ts$/, '')

/** Looked for at run time, where the tree was installed: large, and wanted by few. */
export const LOADED_ON_DEMAND = ['@opentelemetry/sdk-node']

/** What packages of others try to load and do well without. */
const EXTRAS = ['bufferutil', 'pg-native', 'supports-color', 'utf-8-validate']

const NEIGHBOUR = /new URL\(['"`]([^'"`$]+)[^'"`]*['"`], import\.meta\.url\)/g

/** A file that is read where it lies among the sources has to be copied to the same place of a built tree. */
export function requireInTree(source: string, text: string): void {
  for (const [, path = ''] of text.matchAll(NEIGHBOUR)) {
    const file = join(dirname(source), path)
    if (RUN_TIME_FILES.some((known) => file === known || file.startsWith(`${known}/`))) continue
    if (file.startsWith(`${CHAIN_NODE}.`) || file === WRITTEN_DOCUMENT) continue
    throw new Error(`${source} reads ${file}, which a built tree does not have: add it to RUN_TIME_FILES`)
  }
}

/** Sources find files by where they are themselves; bundled, they are told where that would be in the built tree. */
const inItsPlace: Plugin = {
  name: 'in-its-place',
  setup: (bundler) =>
    bundler.onLoad({ filter: /[/](apps|packages)[/][^/]+[/]src[/].+[.]ts$/ }, ({ path }) => {
      const source = relative(repositoryRoot, path).replaceAll('\\', '/')
      const text = readFileSync(path, 'utf8')
      requireInTree(source, text)
      const place = `new URL(${JSON.stringify(source)}, import.meta.url).href`
      return { contents: text.replaceAll('import.meta.url', place), loader: 'ts' }
    }),
}

/** The curve is read from a file beside its package, which a built tree does not have: here it is part of the program. */
const withCurve: Plugin = {
  name: 'with-curve',
  setup: (bundler) =>
    bundler.onLoad({ filter: /[/]tiny-secp256k1[/]lib[/]wasm_loader[.]js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const reading = 'readFileSync(path("secp256k1.wasm"))'
      if (!text.includes(reading)) throw new Error('tiny-secp256k1 loads its curve in a new way')
      return { contents: `import curve from './secp256k1.wasm'\n${text.replace(reading, 'curve')}`, loader: 'js' }
    }),
}

/** pdfkit loads its fonts through a `require` of its own, which a bundler cannot see through. */
const withFonts: Plugin = {
  name: 'with-fonts',
  setup: (bundler) =>
    bundler.onLoad({ filter: /[/]pdfkit[/]js[/]pdfkit[.]node[.]mjs$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes("require$1('#standard-fonts/Helvetica')"))
        throw new Error('pdfkit loads its fonts in a new way')
      return { contents: text.replaceAll("require$1('#", "require('#"), loader: 'js' }
    }),
}

export interface Bundles {
  /** Names of files without their ending, and the source of each. */
  readonly entries: Readonly<Record<string, string>>
  readonly folder: string
  readonly sourcemap?: boolean
  /** False: only to learn what would be in them. */
  readonly write?: boolean
}

/**
 * Programs as JavaScript, with everything that they import, in one flat folder. Compared with running the sources, loading one takes a
 * tenth of the time. What a program loads only on demand stays in a file of its own.
 */
export async function bundle({ entries, folder, sourcemap = false, write = true }: Bundles): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: { ...entries },
    outdir: folder,
    bundle: true,
    splitting: true,
    write,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Half the text to read at each start; names stay as they are.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: sourcemap ? 'linked' : false,
    external: [...LOADED_ON_DEMAND, ...EXTRAS],
    logLevel: 'error',
    loader: { '.wasm': 'binary' },
    plugins: [inItsPlace, withCurve, withFonts],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  })
  return metafile
}
