import type { TextFile } from './readme-rules.ts'

type LineRule = {
  says: string
  appliesTo: (path: string) => boolean
  isBroken: (line: string) => boolean
}

const isTest = (path: string) => path.endsWith('.test.ts') || /^(apps\/[^/]+\/test|e2e)\//.test(path)
const isProduction = (path: string) => /^(apps|packages)\/[^/]+\/src\/.+\.ts$/.test(path) && !isTest(path)
const isForReaders = (path: string) => isProduction(path) || path.endsWith('.md') || path.startsWith('contracts/src/')
// packages/embedded hands the environment on to the programs that it starts.
const mayReadEnvironment = (path: string) =>
  /^apps\/[^/]+\/src\/main\.([^/]+\.)?ts$|^apps\/server\/src\/platform\/config|^packages\/(embedded|testkit)\//.test(
    path,
  )

const madeForRequests = /^apps\/server\/src\/(trading|platform\/http)\/|^packages\/engine\//

// Some patterns hold a letter or a dot in brackets so that they do not find themselves in this file.
const rules: LineRule[] = [
  {
    says: 'an open end needs the number of its ticket, like #12',
    appliesTo: () => true,
    isBroken: (line) => /\b(TOD[O]|FIXM[E])\b/.test(line) && !/#\d+/.test(line),
  },
  {
    says: 'no test is focused, skipped or left to be written',
    appliesTo: isTest,
    isBroken: (line) => /[.](only|skip)\(|\b(it|test|describe)[.]todo\b/.test(line),
  },
  {
    says: 'names a folder outside the repository',
    appliesTo: () => true,
    isBroken: (line) => /[.]{2}\/shared\b|(?<![\w/.@-])shared\/\w|\/work\/(main|shared)\b/.test(line),
  },
  {
    says: 'a role is nobody in particular: write they, or name the role',
    appliesTo: isForReaders,
    isBroken: (line) => /\b(he|him|his|himself|she|hers|herself)\b/i.test(line),
  },
  {
    says: 'only the mains of apps and apps/server/src/platform/config* read the environment',
    appliesTo: (path) => isProduction(path) && !mayReadEnvironment(path),
    isBroken: (line) => /\bprocess\s*\??[.]\s*env\b|\bprocess\s*\[\s*['"`]env|from ['"](node:)?process['"]/.test(line),
  },
  {
    // Each gets a class of its own in V8, which keeps all that its accessors see until the next major collection of garbage.
    says: 'an object made with accessors for every request is slow and stays: write a method',
    appliesTo: (path) => isProduction(path) && madeForRequests.test(path),
    isBroken: (line) => /^\s+[gs]et \w+\(.*\{$/.test(line),
  },
]

export function lineFindings({ path, text }: TextFile): string[] {
  const applicable = rules.filter((rule) => rule.appliesTo(path))
  return text
    .split('\n')
    .flatMap((line, index) =>
      applicable.filter((rule) => rule.isBroken(line)).map((rule) => `${path}:${index + 1}: ${rule.says}`),
    )
}
