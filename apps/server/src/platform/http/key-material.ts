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

/** True when a body carries a field named like key material, in any case, up to six levels deep. */
export function holdsKeyMaterial(body: unknown, allowed: readonly string[] = [], level = 1): boolean {
  if (typeof body !== 'object' || body === null || level > DEEPEST_LEVEL) return false
  if (Array.isArray(body)) return body.some((item) => holdsKeyMaterial(item, allowed, level + 1))
  return Object.entries(body).some(
    ([name, value]) =>
      (forbidden.has(name.toLowerCase()) && !allowed.includes(name)) || holdsKeyMaterial(value, allowed, level + 1),
  )
}
