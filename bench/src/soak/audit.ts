import type { SeededRandom } from '@tallystick/testkit'
import type { Sql } from 'postgres'
import { sendUntilAnswered } from './http.ts'
import type { Acknowledged, InstanceModel, Violations } from './ledger.ts'

interface ImportRow {
  token: string
  status: 'ACTIVE' | 'REVOKED'
  sector: string | null
  image: string | null
  whole: boolean
}

/** Compares what an instance holds with what its client was told, row by row. Only while the client is silent. */
export async function auditRows(sql: Sql, model: InstanceModel, violations: Violations): Promise<void> {
  await auditKeys(sql, model, violations)
  await auditImports(sql, model, violations)
  await auditIdempotency(sql, model, violations)
}

async function auditKeys(sql: Sql, { instanceId, keys }: InstanceModel, violations: Violations): Promise<void> {
  const rows = await sql<{ name: string; status: string }[]>`
    select name, status from api_keys where instance_id = ${instanceId} and name <> 'default'`
  for (const [name, { revoked }] of keys) {
    const found = rows.filter((row) => row.name === name)
    if (found.length === 0) violations.lost.push(`key ${name}`)
    if (found.length > 1) violations.doubled.push(`key ${name}: ${found.length} rows`)
    if (found.some(({ status }) => status !== (revoked ? 'REVOKED' : 'ACTIVE')))
      violations.lost.push(`key ${name} is not ${revoked ? 'revoked' : 'active'}`)
  }
  for (const { name } of rows) if (!keys.has(name)) violations.half.push(`key ${name} was never acknowledged`)
}

async function auditImports(sql: Sql, { instanceId, tokens }: InstanceModel, violations: Violations): Promise<void> {
  const rows = await sql<ImportRow[]>`
    select token_address as token, status, profile ->> 'sector' as sector, image_uri as image,
           (status = 'REVOKED') = (revoked_at is not null) and facts is not null and updated_at >= imported_at as whole
    from token_imports where instance_id = ${instanceId}`
  for (const [token, model] of tokens) {
    const own = rows.filter((row) => row.token === token)
    if (own.length < model.imports) violations.lost.push(`import of ${token}: ${own.length} of ${model.imports} rows`)
    if (own.length > model.imports) violations.doubled.push(`import of ${token}: ${own.length} for ${model.imports}`)
    const active = own.filter(({ status }) => status === 'ACTIVE')
    if (active.length !== (model.active ? 1 : 0)) violations.lost.push(`${token}: ${active.length} active imports`)
    for (const { sector, image } of active) {
      if (sector !== model.profileSector) violations.lost.push(`profile ${model.profileSector}, but found ${sector}`)
      if (image !== model.imageURI) violations.lost.push(`image ${model.imageURI}, but found ${image}`)
    }
  }
  for (const { token, whole } of rows) if (!whole) violations.half.push(`import of ${token}`)
}

async function auditIdempotency(sql: Sql, model: InstanceModel, violations: Violations): Promise<void> {
  const rows = await sql<{ key: string }[]>`
    select idempotency_key as key from idempotency_keys where instance_id = ${model.instanceId}`
  const found = new Set(rows.map(({ key }) => key))
  const told = new Set(model.acknowledged.map(({ idempotencyKey }) => idempotencyKey))
  for (const key of told) if (!found.has(key)) violations.lost.push(`record of ${key}`)
  for (const key of found) if (!told.has(key)) violations.half.push(`record of ${key} without an acknowledgement`)
}

/** Sends acknowledged writes again: each must answer the very bytes of the first time, and do nothing. */
export async function replay(
  writes: readonly Acknowledged[],
  apiUrls: readonly string[],
  random: SeededRandom,
  violations: Violations,
): Promise<number> {
  const open = [...writes]
  async function work(): Promise<void> {
    for (let write = open.pop(); write; write = open.pop()) {
      const { answer } = await sendUntilAnswered(apiUrls, write.apiKey, write, random)
      if (!answer.replayed || answer.sha256 !== write.answerSha256)
        violations.replay.push(`${write.idempotencyKey}: ${answer.status} ${answer.text}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return writes.length
}
