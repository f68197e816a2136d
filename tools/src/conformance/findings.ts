import { codeKey, type Evidence, fieldKey, testKey } from './evidence.ts'
import type { CodeProof, FieldProof, Proof, Row, TestProof } from './row.ts'

/** Rows that a run did not prove, ready to print. */
export function conformanceFindings(rows: readonly Row[], evidence: Evidence): string[] {
  return [
    ...repeatedIds(rows).map((id) => `${id}: stands in the table twice`),
    ...rows.filter(({ proofs }) => proofs.length === 0).map(({ id }) => `${id}: nothing proves it`),
    ...rows.flatMap(({ id, proofs }) =>
      proofs.flatMap((proof) => missing(proof, evidence)).map((finding) => `${id}: ${finding}`),
    ),
  ]
}

function repeatedIds(rows: readonly Row[]): string[] {
  const ids = rows.map(({ id }) => id)
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
}

function missing(proof: Proof, evidence: Evidence): string[] {
  if (proof.kind === 'test') return missingTest(proof, evidence)
  return proof.kind === 'field' ? missingField(proof, evidence) : missingCode(proof, evidence)
}

function missingTest({ file, name }: TestProof, { tests }: Evidence): string[] {
  const outcome = tests.get(testKey(file, name))
  if (outcome === 'passed') return []
  return [outcome ? `its test ${outcome}: ${testKey(file, name)}` : `its test was not run: ${testKey(file, name)}`]
}

/** A number is a number whether or not it happened to be whole. */
const asDeclared = (types: ReadonlySet<string>, declared: ReadonlySet<string>) =>
  new Set([...types].map((type) => (type === 'integer' && declared.has('number') ? 'number' : type)))

function missingField({ operation, leg, field, types }: FieldProof, { answered }: Evidence): string[] {
  const declared = new Set(types.split('|'))
  const seen = asDeclared(answered.get(fieldKey(`${operation} ${leg}`, field)) ?? new Set(), declared)
  const place = `${field} of ${operation} (${leg})`
  return [
    ...[...declared].filter((type) => !seen.has(type)).map((type) => `no test was answered ${type} as ${place}`),
    ...[...seen].filter((type) => !declared.has(type)).map((type) => `a test was answered ${type} as ${place}`),
  ]
}

function missingCode(proof: CodeProof, { statuses, provoked, answered }: Evidence): string[] {
  const { operation, leg, code, status, extra } = proof
  const key = codeKey(operation, leg, code)
  const listed = statuses.get(key)
  if (listed === undefined) return [`the catalogue does not list ${key}`]
  return [
    ...(listed === status ? [] : [`the catalogue gives ${key} the status ${listed}, not ${status}`]),
    ...(provoked.has(key) ? [] : [`no test provoked ${key}`]),
    ...extra
      .filter((field) => !answered.has(fieldKey(`${operation} ${code}`, `error.${field}`)))
      .map((field) => `no test was answered ${field} beside ${key}`),
  ]
}
