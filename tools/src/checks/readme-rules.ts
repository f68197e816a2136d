import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type TextFile = { path: string; text: string }

const MAX_LINES_UNDER_SRC = 40
const MAX_LINES_ROOT = 79

const FENCED_BLOCK = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$/gm
const INLINE_CODE = /`([^`\n]+)`/g
const PLAIN_PATH = /^[\w.][\w./@+-]*$/
const KNOWN_ENDING = /\.(ts|sol|md|json|sql)$/
const MEDIA_TYPE = /^(application|audio|image|multipart|text|video)\//
const MADE_AT_RUN_TIME = /^(\.\/)?(var|dist|node_modules)(\/|$)/

export const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

function looksLikePath(code: string): boolean {
  if (!PLAIN_PATH.test(code) || code.includes('...')) return false
  if (MEDIA_TYPE.test(code) || MADE_AT_RUN_TIME.test(code)) return false
  return code.includes('/') || KNOWN_ENDING.test(code)
}

/** Paths that a README names in backticks; a line number behind the path is not part of it. */
export function namedPaths(text: string): string[] {
  const codes = [...text.replace(FENCED_BLOCK, '').matchAll(INLINE_CODE)].map(([, code = '']) => code)
  return [...new Set(codes.map((code) => code.replace(/:\d+$/, '')).filter(looksLikePath))]
}

function missingPaths(root: string, readme: TextFile): string[] {
  const from = join(root, dirname(readme.path))
  return namedPaths(readme.text)
    .filter((path) => !existsSync(join(from, path)) && !existsSync(join(root, path)))
    .map((path) => `${readme.path}: names ${path}, which does not exist`)
}

function tooLong(readme: TextFile): string[] {
  const lines = lineCount(readme.text)
  const limit = readme.path === 'README.md' ? MAX_LINES_ROOT : MAX_LINES_UNDER_SRC
  if (readme.path !== 'README.md' && !readme.path.includes('/src/')) return []
  return lines > limit ? [`${readme.path}: ${lines} lines, at most ${limit} allowed`] : []
}

/** Folders that explain themselves: every workspace, and every folder directly under the server's src. */
function foldersWithoutReadme(paths: string[]): string[] {
  const present = new Set(paths)
  const folders = paths.flatMap((path) => {
    const workspace = /^((?:packages|apps)\/[^/]+|contracts|bench|tools)\/package\.json$/.exec(path)?.[1]
    const serverFolder = /^(apps\/server\/src\/[^/]+)\//.exec(path)?.[1]
    return [workspace, serverFolder].filter((folder) => folder !== undefined)
  })
  return [...new Set(folders)]
    .filter((folder) => !present.has(`${folder}/README.md`))
    .map((folder) => `${folder}: has no README.md`)
}

const ARCHITECTURE = 'docs/architecture.md'

/** The plan of the house names each room of the server, and none that is not there. */
function architectureFindings(root: string, paths: string[], texts: TextFile[]): string[] {
  const plan = texts.find(({ path }) => path === ARCHITECTURE)
  if (!plan) return []
  const rooms = paths.flatMap((path) => /^apps\/server\/src\/([^/]+)\//.exec(path)?.[1] ?? [])
  const named = new Set([...plan.text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name))
  return [
    ...missingPaths(root, plan),
    ...[...new Set(rooms)]
      .filter((room) => !named.has(room))
      .map((room) => `${ARCHITECTURE}: has no row for apps/server/src/${room}`),
    ...[...named]
      .filter((room) => room !== undefined && !rooms.includes(room) && !existsSync(join(root, room)))
      .map((room) => `${ARCHITECTURE}: has a row for ${room}, which is no folder of the server`),
  ]
}

export function readmeFindings(root: string, paths: string[], texts: TextFile[]): string[] {
  const readmes = texts.filter(({ path }) => path === 'README.md' || path.endsWith('/README.md'))
  return [
    ...readmes.flatMap((readme) => [...missingPaths(root, readme), ...tooLong(readme)]),
    ...foldersWithoutReadme(paths),
    ...architectureFindings(root, paths, texts),
  ]
}
