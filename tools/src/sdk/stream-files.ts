import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../support/repository.ts'

const SOURCE = 'packages/wire/src/streams'
const FILES = ['book-messages.ts', 'book-replica.ts', 'crc32.ts', 'ladder.ts']

/** The server and its clients build a book from the same code. It is copied, so that the SDK can be published alone. */
export function streamFiles(): [path: string, text: string][] {
  return FILES.map((file) => {
    const text = readFileSync(join(repositoryRoot, SOURCE, file), 'utf8')
    return [`streams/${file}`, `// Copied by npm run sdk from ${SOURCE}. Do not edit.\n${text}`]
  })
}
