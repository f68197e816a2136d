import { type Hex, numberToHex, parseSignature, recoverAddress, serializeSignature, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { systemRandom } from '../random.ts'
import { signerOf } from './signer.rules.ts'

/** Of the group that the curve's points form. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const account = privateKeyToAccount(generatePrivateKey())
const hash = toHex(systemRandom(32))
const own = account.address.toLowerCase()

/** What viem says of the same bytes. */
async function byViem(signature: Hex): Promise<string | undefined> {
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase()
  } catch {
    return undefined
  }
}

async function agreed(signature: Hex): Promise<string | undefined> {
  const signer = await signerOf(hash, signature)
  expect(signer).toBe(await byViem(signature))
  return signer
}

describe('the signer of a hash', () => {
  test('is whose key signed it, with the last byte in either form', async () => {
    const signature = await account.sign({ hash })
    const parity = Number(`0x${signature.slice(-2)}`) - 27
    expect(await agreed(signature)).toBe(own)
    expect(await agreed(`${signature.slice(0, -2)}0${parity}` as Hex)).toBe(own)
    expect(await signerOf(toHex(systemRandom(32)), signature)).not.toBe(own)
  })

  test('is the same for the other of the two signatures that every message has', async () => {
    const { r, s, yParity } = parseSignature(await account.sign({ hash }))
    const other = serializeSignature({
      r,
      s: numberToHex(ORDER - BigInt(s), { size: 32 }),
      yParity: yParity === 0 ? 1 : 0,
    })
    expect(await agreed(other)).toBe(own)
  })

  test('is somebody else when the last byte means the other point', async () => {
    const { r, s, yParity } = parseSignature(await account.sign({ hash }))
    const signer = await agreed(serializeSignature({ r, s, yParity: yParity === 0 ? 1 : 0 }))
    expect(signer).toMatch(/^0x[0-9a-f]{40}$/)
    expect(signer).not.toBe(own)
  })

  test('is the one that viem finds, whatever the bytes', async () => {
    let found = 0
    for (let draw = 0; draw < 40; draw += 1) if (await agreed(`${toHex(systemRandom(64))}1b`)) found += 1
    // Half of all numbers are no point of the curve.
    expect(found).toBeGreaterThan(5)
    expect(found).toBeLessThan(35)
  })

  test.each([
    ['of no bytes', '0x'],
    ['too short', `0x${'11'.repeat(64)}`],
    ['too long', `0x${'11'.repeat(65)}1b`],
    ['of zeros', `0x${'00'.repeat(64)}1b`],
    ['without r', `0x${'00'.repeat(32)}${'11'.repeat(32)}1b`],
    ['without s', `0x${'11'.repeat(32)}${'00'.repeat(32)}1b`],
    ['of numbers beyond the curve', `0x${'ff'.repeat(64)}1b`],
    ['with another last byte', `0x${'11'.repeat(64)}1d`],
    ['that is no hex', '0xzz'],
  ] as const)('is nobody for a signature %s', async (_what, signature) => {
    expect(await signerOf(hash, signature)).toBeUndefined()
    expect(await byViem(signature)).toBeUndefined()
  })
})
