import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { codesOf, operations } from '@tallystick/wire'
import { readProvoked } from '../testing/code-coverage.ts'

/** What a full run showed. */
export interface Evidence {
  /** File and full name of each test, with its outcome. */
  readonly tests: ReadonlyMap<string, string>
  /** Status that the catalogue gives to an operation's leg and code. */
  readonly statuses: ReadonlyMap<string, number>
  /** Operation, leg and code of each failure that a test provoked. */
  readonly provoked: ReadonlySet<string>
  /** JSON types that were answered, by place and field: operation and leg of a success, operation and code of a failure. */
  readonly answered: ReadonlyMap<string, ReadonlySet<string>>
}

export const testKey = (file: string, name: string) => `${file}: ${name}`
export const codeKey = (operation: string, leg: string, code: string) => `${operation} ${leg} ${code}`
export const fieldKey = (place: string, field: string) => `${place}\t${field}`

interface JsonReport {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
}

function readTests(reportFile: string, root: string): Map<string, string> {
  const { testResults } = JSON.parse(readFileSync(reportFile, 'utf8')) as JsonReport
  return new Map(
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status }) => [testKey(relative(root, name), fullName), status] as const),
    ),
  )
}

function readAnswered(folder: string): Map<string, Set<string>> {
  const answered = new Map<string, Set<string>>()
  if (!existsSync(folder)) return answered
  for (const name of readdirSync(folder))
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const [place = '', field = '', type] = line.split('\t')
      if (type === undefined) continue
      const key = fieldKey(place, field)
      answered.set(key, (answered.get(key) ?? new Set()).add(type))
    }
  return answered
}

export interface EvidenceFolders {
  readonly root: string
  readonly reportFile: string
  readonly provokedFolder: string
  readonly answersFolder: string
}

export function readEvidence({ root, reportFile, provokedFolder, answersFolder }: EvidenceFolders): Evidence {
  const statuses = operations.flatMap((operation) =>
    codesOf(operation).map(
      ({ leg, code, table }) => [codeKey(operation.id, leg, code), table[code]?.status ?? 0] as const,
    ),
  )
  return {
    tests: readTests(reportFile, root),
    statuses: new Map(statuses),
    provoked: new Set(readProvoked(provokedFolder).map(({ operation, leg, code }) => codeKey(operation, leg, code))),
    answered: readAnswered(answersFolder),
  }
}
