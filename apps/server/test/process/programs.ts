import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const repository = fileURLToPath(new URL('../../../../', import.meta.url))

export type Main = 'api' | 'worker' | 'embedded' | 'cli'

interface Bundler {
  build(options: Record<string, unknown>): Promise<unknown>
}

interface Build {
  onLoad(where: { filter: RegExp }, load: (file: { path: string }) => { contents: string; loader: string }): void
}

/** Files that come with the sources are found beside them, wherever the bundle lies. */
const inItsPlace = {
  name: 'in-its-place',
  setup: (build: Build) =>
    build.onLoad({ filter: /[/](apps|packages)[/][^/]+[/]src[/].+[.]ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    })),
}

const built = new Map<string, Promise<string>>()

/**
 * A main of the product as one file, put together by the compiler that tsx itself uses. It is the same program, but loading it
 * takes a tenth of the time, so that a test can afford many processes.
 */
export function bundled(main: Main): Promise<string> {
  return bundledFile(fileURLToPath(new URL(`../../src/main.${main}.ts`, import.meta.url)), main)
}

/** The same for any program of ours. */
export function bundledFile(path: string, name: string): Promise<string> {
  const known = built.get(path)
  if (known) return known
  const building = bundle(path, name)
  built.set(path, building)
  return building
}

const A_DAY_MS = 24 * 60 * 60 * 1000

/** What runs that were killed left behind. */
function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const left = statSync(join(folder, name), { throwIfNoEntry: false })
    if (left && Date.now() - left.mtimeMs > A_DAY_MS) rmSync(join(folder, name), { force: true })
  }
}

async function bundle(path: string, name: string): Promise<string> {
  const require = createRequire(import.meta.url)
  const bundler = createRequire(require.resolve('tsx/package.json'))('esbuild') as Bundler
  const folder = join(repository, 'node_modules', '.cache', 'tally-mains')
  mkdirSync(folder, { recursive: true })
  forgetOld(folder)
  const outfile = join(folder, `${name}-${process.pid}.mjs`)
  process.once('exit', () => rmSync(outfile, { force: true }))
  // What is not ours, too, is loaded as if from among the sources.
  const origin = JSON.stringify(new URL('../../src/platform/db/migrate.ts', import.meta.url).href)
  await bundler.build({
    entryPoints: [path],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Half the text to read at each start.
    minifyWhitespace: true,
    minifySyntax: true,
    // Loaded only where somebody wants traces.
    external: ['@opentelemetry/*'],
    logLevel: 'error',
    define: { 'import.meta.url': origin },
    plugins: [inItsPlace],
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${origin});`,
    },
  })
  return outfile
}
