import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, repositoryRoot } from '../support/repository.ts'
import { type Check, type CheckResult, findingsResult } from './check.ts'
import { lineFindings } from './line-rules.ts'
import { lineCount, readmeFindings, type TextFile } from './readme-rules.ts'

const TEXT_ENDING = /\.(ts|js|cjs|mjs|sol|sql|md|json|toml|ya?ml|sh|html|css)$/
const GENERATED = /^packages\/(abi\/src|sdk\/src\/generated)\//
const MAX_SOURCE_LINES = 400

const isSource = (path: string) => /(^|\/)src\/.+\.(ts|sol)$/.test(path)

const longSources = (texts: TextFile[]): string[] =>
  texts
    .filter(({ path, text }) => isSource(path) && lineCount(text) > MAX_SOURCE_LINES)
    .map(({ path, text }) => `${path}: ${lineCount(text)} lines; past ${MAX_SOURCE_LINES} a file wants to be two`)

export function checkTexts(root: string): CheckResult {
  const paths = listFiles(root)
  const texts = paths
    .filter((path) => (TEXT_ENDING.test(path) || path === '.ci/run') && !GENERATED.test(path))
    .map((path): TextFile => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return findingsResult([...readmeFindings(root, paths, texts), ...texts.flatMap(lineFindings)], longSources(texts))
}

export const texts: Check = { name: 'texts', run: async () => checkTexts(repositoryRoot) }
