import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { plainDocument } from '../../apps/server/src/platform/http/openapi/describe.ts'
import { type OpenApi, readDocument } from './sdk/document.ts'
import { commonRefusals } from './sdk/refusals.ts'
import { indexFiles } from './sdk/render-index.ts'
import { tagFiles } from './sdk/render-tag.ts'
import { streamFiles } from './sdk/stream-files.ts'
import { repositoryRoot } from './support/repository.ts'

const folder = join(repositoryRoot, 'packages/sdk/src/generated')

function render(): Map<string, string> {
  // As a client receives it: JSON text, nothing that only lives in memory.
  const document = JSON.parse(JSON.stringify(plainDocument('sdk'))) as OpenApi
  const operations = readDocument(document)
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const around = { common: commonRefusals(operations), byId: new Map(operations.map((one) => [one.id, one])) }
  return new Map([
    ...tags.flatMap((tag) =>
      tagFiles(
        tag,
        operations.filter((one) => one.tag === tag),
        around,
      ),
    ),
    ...indexFiles(tags, operations, around.common),
    ...streamFiles(),
  ])
}

function present(): Map<string, string> {
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

const wanted = render()
const found = present()
const stray = [...found.keys()].filter((path) => !wanted.has(path))
const outdated = [...wanted].filter(([path, text]) => found.get(path) !== text)
if (process.argv.includes('--check')) {
  for (const path of [...stray, ...outdated.map(([path]) => path)]) console.error(`packages/sdk/src/generated/${path}`)
  if (stray.length + outdated.length > 0) {
    console.error('These files are not what the OpenAPI document says: run `npm run sdk` and commit the result.')
    process.exitCode = 1
  }
} else {
  for (const path of stray) rmSync(join(folder, path))
  for (const [path, text] of outdated) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
