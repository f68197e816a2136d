const ALLOWED = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
  'PSF-2.0',
])

/** Whether an SPDX expression can be met with allowed licences alone: one side of OR is enough, AND needs both. */
export function isAllowedLicence(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  let at = 0

  const either = (): boolean => {
    let allowed = both()
    while (tokens[at] === 'OR') {
      at += 1
      allowed = both() || allowed
    }
    return allowed
  }
  const both = (): boolean => {
    let allowed = single()
    while (tokens[at] === 'AND') {
      at += 1
      allowed = single() && allowed
    }
    return allowed
  }
  const single = (): boolean => {
    const token = tokens[at]
    at += 1
    if (token !== '(') return token !== undefined && ALLOWED.has(token)
    const allowed = either()
    const closed = tokens[at] === ')'
    at += 1
    return allowed && closed
  }

  const allowed = either()
  // Leftover words ("MIT with conditions") mean that the text is no expression we understand.
  return allowed && at === tokens.length
}
