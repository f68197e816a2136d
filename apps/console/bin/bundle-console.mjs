import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { compile } from 'tailwindcss'
import { build } from 'vite'
import { filesBelow } from './sources.mjs'

const require = createRequire(import.meta.url)

/** Whatever could be a class name in a source; what is none costs nothing. */
const WORDS = /[^\s"'`<>{}]+/g

/**
 * The utilities that the sources name, as Tailwind writes them. Its own plugins bring a compiler under a licence that production code
 * here does not take; the bundler's minifier does as well.
 * @param {string} folder
 * @returns {import('vite').Plugin}
 */
const tailwind = (folder) => ({
  name: 'tailwind',
  enforce: 'pre',
  async transform(text, id) {
    if (!id.endsWith('.css') || !text.includes('@import "tailwindcss"')) return undefined
    const loadStylesheet = async (/** @type {string} */ name, /** @type {string} */ base) => {
      const path = name.startsWith('.')
        ? join(base, name)
        : require.resolve(name === 'tailwindcss' ? 'tailwindcss/index.css' : name)
      return { path, base: dirname(path), content: readFileSync(path, 'utf8') }
    }
    const compiler = await compile(text, { base: dirname(id), loadStylesheet })
    const sources = filesBelow(join(folder, 'src')).filter((file) => /[.]tsx?$/.test(file) && !file.includes('.test.'))
    const words = sources.flatMap((file) => readFileSync(file, 'utf8').match(WORDS) ?? [])
    return { code: compiler.build([...new Set(words)]), map: null }
  },
})

/** What a server sends as it is: nobody waits for a compressor. */
async function compressFiles(/** @type {string} */ folder) {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  const files = filesBelow(folder).filter((file) => /[.](html|js|css|svg)$/.test(file))
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
      writeFileSync(`${file}.br`, await brotli(bytes, { params }))
      writeFileSync(`${file}.gz`, await zip(bytes, { level: 9 }))
    }),
  )
}

/**
 * @param {string} folder of the console
 * @param {string} outDir
 */
export async function bundleConsole(folder, outDir) {
  await build({
    root: folder,
    configFile: false,
    base: '/',
    publicDir: false,
    logLevel: 'warn',
    mode: 'production',
    esbuild: { jsx: 'automatic', jsxDev: false, jsxImportSource: '#drawn', legalComments: 'none' },
    build: {
      outDir,
      emptyOutDir: true,
      target: ['chrome111', 'firefox114', 'safari16.4'],
      assetsInlineLimit: 0,
      // A polyfill for old browsers would be the only script that is not a file.
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
      // Packages for servers too say so in a directive, which means nothing here.
      rollupOptions: {
        onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      },
    },
    plugins: [tailwind(folder)],
  })
  await compressFiles(outDir)
}
