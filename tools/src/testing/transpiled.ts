import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'vitest/config'
import { listFiles, repositoryRoot } from '../support/repository.ts'

/** Of the environment: the folder of modules that tests load in the place of their sources. */
export const LOAD_FROM = 'TESTS_LOAD_FROM'

/** The console is for a browser, and its few tests load little of it. */
const isModule = (path: string): boolean =>
  /^(apps[/](?!console[/])|packages[/]|tools[/]|bench[/]|e2e[/]).*[.]ts$/.test(path) && !/[.]d[.]ts$/.test(path)

const isManifest = (path: string): boolean => /^((apps|packages)[/][^/]+|bench|e2e|tools)[/]package[.]json$/.test(path)

const inJavaScript = (path: string): string => path.replace(/[.]ts$/, '.js')

/** What stands for `import.meta.url` and `import.meta.dirname`: where the source is, beside the files that it reads. */
const [URL_OF_SOURCE, FOLDER_OF_SOURCE] = ['__urlOfSource', '__folderOfSource']

/** Modules of ours are named as they are called in the tree, and other files where they are. Node loads no contract: it stands in a text. */
function nameIn(source: string, name: string): string {
  if (name.endsWith('.sol')) return name
  const path = join(dirname(source), name)
  return isModule(path) ? inJavaScript(name) : pathToFileURL(join(repositoryRoot, path)).href
}

const withNames = (text: string, source: string): string =>
  text
    .replace(
      /^((?:import|export|\}).*")([.]{1,2}[/][^"]+)";$/gm,
      (_, before, name) => `${before}${nameIn(source, name)}";`,
    )
    .replace(/\bimport\("([.]{1,2}[/][^"]+)"\)/g, (_, name) => `import("${nameIn(source, name)}")`)

/** The text of a module for its place in the tree. */
export function atItsPlace(text: string, source: string): string {
  const file = join(repositoryRoot, source)
  const places = [
    [URL_OF_SOURCE, pathToFileURL(file).href],
    [FOLDER_OF_SOURCE, dirname(file)],
  ].filter(([name = '']) => text.includes(name))
  return places.map(([name, place]) => `const ${name} = ${JSON.stringify(place)};\n`).join('') + withNames(text, source)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/**
 * Every module of ours as JavaScript in a file of its own, in a tree like the repository. Node loads these by itself; through the runner of tests
 * thousands of modules take each worker many times as long, and every call of an imported function is slower.
 */
export async function writeTranspiled(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const files = listFiles(repositoryRoot)
  const { outputFiles } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: files.filter(isModule),
    outbase: repositoryRoot,
    outdir: folder,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': URL_OF_SOURCE, 'import.meta.dirname': FOLDER_OF_SOURCE },
    logLevel: 'error',
  })
  for (const { path, text } of outputFiles)
    write(path, atItsPlace(text, relative(folder, path).replace(/[.]js$/, '.ts')))
  for (const path of files.filter(isManifest)) {
    const text = readFileSync(join(repositoryRoot, path), 'utf8')
    const { name } = JSON.parse(text) as { name: string }
    write(join(folder, path), text.replaceAll('.ts"', '.js"'))
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(folder, dirname(path)), link)
  }
}

/** The modules of that tree are loaded in the place of their sources, and so are the tests that the runner asks for, but for the named files. */
export const fromTranspiled = (folder: string, byTheRunner: readonly string[]): Plugin => ({
  name: 'from-transpiled',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (importer === undefined) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (!found) return null
    const path = relative(repositoryRoot, found.id)
    return isModule(path) && !byTheRunner.includes(path) ? join(folder, inJavaScript(path)) : found
  },
})
