/** A test of the suite that shows a row: it must have run and passed. */
export interface TestProof {
  readonly kind: 'test'
  readonly file: string
  /** As the test runner joins it: the names of the groups, then that of the test. */
  readonly name: string
}

/** A field of a success that some test was answered, with exactly these JSON types. */
export interface FieldProof {
  readonly kind: 'field'
  readonly operation: string
  readonly leg: string
  readonly field: string
  readonly types: string
}

/** A code of an operation's leg that some test provoked, with its status and the fields beside it. */
export interface CodeProof {
  readonly kind: 'code'
  readonly operation: string
  readonly leg: string
  readonly code: string
  readonly status: number
  readonly extra: readonly string[]
}

export type Proof = TestProof | FieldProof | CodeProof

/** One thing that the interface promises, and what proves it; all proofs have to hold, and one at least has to be there. */
export interface Row {
  /** Section, then a name that stays: `4.9/limit-default`. */
  readonly id: string
  readonly says: string
  readonly proofs: readonly Proof[]
}

export function row(id: string, says: string, ...proofs: readonly Proof[]): Row {
  return { id, says, proofs }
}

/** Names tests of one file, inside of one group. */
export function testsIn(file: string, group: string): (name: string) => TestProof {
  return (name) => ({ kind: 'test', file, name: `${group} ${name}` })
}

/** Where fields of a success stand: `at` is `data`, `data[]`, `data.quotes[]`, … */
export interface Place {
  readonly section: string
  readonly operation: string
  readonly leg: 'read' | 'write' | 'build' | 'confirm'
  readonly at: string
}

/** JSON types joined by `|`, what the field says, and the test that shows it where it is not the one of all. */
type FieldLine = readonly [types: string, says: string, test?: TestProof]

/** One row per field; `test` looks at what they say, the answers of all tests tell their types. */
export function fieldRows(place: Place, test: TestProof, lines: Readonly<Record<string, FieldLine>>): Row[] {
  const { section, operation, leg, at } = place
  return Object.entries(lines).map(([name, [types, says, own]]) =>
    row(`${section}/${name}`, says, own ?? test, { kind: 'field', operation, leg, field: `${at}.${name}`, types }),
  )
}

/** Status, cause, and the fields that stand beside code and message. */
type CodeLine = readonly [status: number, cause: string, ...extra: readonly string[]]

/** One row per code. */
export function codeRows(
  section: string,
  operation: string,
  leg: CodeProof['leg'],
  lines: Readonly<Record<string, CodeLine>>,
): Row[] {
  return Object.entries(lines).map(([code, [status, cause, ...extra]]) =>
    row(`${section}/${code}`, `${status}: ${cause}`, { kind: 'code', operation, leg, code, status, extra }),
  )
}
