/** Field names that carry signing power. A service that never signs has no business receiving one. */
const forbidden = new Set(
  [
    'privateKey',
    'private_key',
    'mnemonic',
    'seedPhrase',
    'seed_phrase',
    'keystore',
    'keystoreJson',
    'signerKey',
    'signer_key',
    'secretKey',
    'secret_key',
    'walletPassword',
    'useRelayer',
    'signOnBehalf',
    'onBehalfOf',
    'autoSubmit',
  ].map((name) => name.toLowerCase()),
)
const DEEPEST_LEVEL = 6

/** Names that were looked at and are harmless: bodies bring the same few over and over. */
const harmless = new Set<string>()
const MOST_HARMLESS = 1_000

function isForbidden(name: string): boolean {
  if (harmless.has(name)) return false
  if (forbidden.has(name.toLowerCase())) return true
  if (harmless.size < MOST_HARMLESS) harmless.add(name)
  return false
}

/** True when a body carries a field named like key material, in any case, up to six levels deep. */
export function holdsKeyMaterial(body: unknown, allowed: readonly string[] = [], level = 1): boolean {
  if (typeof body !== 'object' || body === null || level > DEEPEST_LEVEL) return false
  if (Array.isArray(body)) return body.some((item) => holdsKeyMaterial(item, allowed, level + 1))
  for (const name of Object.keys(body)) {
    if (isForbidden(name) && !allowed.includes(name)) return true
    if (holdsKeyMaterial((body as Record<string, unknown>)[name], allowed, level + 1)) return true
  }
  return false
}
