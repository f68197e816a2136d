import { createCipheriv, scryptSync } from 'node:crypto'
import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { KeyUnreadableError, openKeystore } from './keystore-file.ts'

// The examples that the definition of the format gives, with its password.
const PASSWORD = 'testpassword'
const KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const pbkdf2 = {
  cipher: 'aes-128-ctr',
  cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
  ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
  kdf: 'pbkdf2',
  kdfparams: {
    c: 262_144,
    dklen: 32,
    prf: 'hmac-sha256',
    salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
  },
  mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
}
const scrypt = {
  cipher: 'aes-128-ctr',
  cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
  ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
  kdf: 'scrypt',
  kdfparams: {
    dklen: 32,
    n: 262_144,
    p: 8,
    r: 1,
    salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
  },
  mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
}
const cheapScrypt = {
  cipher: 'aes-128-ctr',
  cipherparams: { iv: 'e0c41130a323adc1446fc82f724bca2f' },
  ciphertext: '9517cd5bdbe69076f9bf5057248c6c050141e970efa36ce53692d5d59a3984',
  kdf: 'scrypt',
  kdfparams: {
    dklen: 32,
    n: 2,
    r: 8,
    p: 1,
    salt: '711f816911c92d649fb4c84b047915679933555030b3552c1212609b38208c63',
  },
  mac: 'd5e116151c6aa71470e67a7d42c9620c75c4d23229847dcc127794f0732b0db5',
}
const file = (crypto: object, more: object = {}) => JSON.stringify({ crypto, version: 3, ...more })

describe('a keystore', () => {
  it('that derives its key by pbkdf2 is opened', async () => {
    expect(await openKeystore(file(pbkdf2), PASSWORD)).toBe(KEY)
  })

  it('that derives its key by scrypt is opened, also one whose key begins with zeros', async () => {
    const key = '0x00fa7b3db73dc7dfdf8c5fbdb796d741e4488628c41fc4febd9160a866ba0f35'
    expect(await openKeystore(file(cheapScrypt), 'foo')).toBe(key)
  })

  it('at the costs that clients choose is opened', async () => {
    const salt = Buffer.alloc(32, 7)
    const derived = scryptSync('pass', salt, 32, { N: 262_144, r: 8, p: 1, maxmem: 2 ** 29 })
    const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.alloc(16, 1))
    const ciphertext = cipher.update(Buffer.from(KEY.slice(2), 'hex'))
    const text = file({
      ...cheapScrypt,
      cipherparams: { iv: '01'.repeat(16) },
      ciphertext: ciphertext.toString('hex'),
      kdfparams: { dklen: 32, n: 262_144, r: 8, p: 1, salt: salt.toString('hex') },
      mac: keccak256(Buffer.concat([derived.subarray(16), ciphertext])).slice(2),
    })
    expect(await openKeystore(text, 'pass')).toBe(KEY)
  })

  it('may spell its crypto part as older clients do, and write 0x before numbers', async () => {
    const { mac, ...rest } = pbkdf2
    const text = JSON.stringify({ Crypto: { ...rest, mac: `0x${mac.toUpperCase()}` }, version: 3 })
    expect(await openKeystore(text, PASSWORD)).toBe(KEY)
  })

  it.each([
    ['another password', file(pbkdf2), 'testpassworD'],
    ['a changed ciphertext', file({ ...pbkdf2, ciphertext: `00${pbkdf2.ciphertext.slice(2)}` }), PASSWORD],
    ['another version', file(pbkdf2, { version: 1 }), PASSWORD],
    ['another cipher', file({ ...pbkdf2, cipher: 'aes-128-cbc' }), PASSWORD],
    ['an unknown derivation', file({ ...pbkdf2, kdf: 'argon2' }), PASSWORD],
    [
      'another pseudo-random function',
      file({ ...pbkdf2, kdfparams: { ...pbkdf2.kdfparams, prf: 'hmac-md5' } }),
      PASSWORD,
    ],
    ['a short vector', file({ ...pbkdf2, cipherparams: { iv: '00' } }), PASSWORD],
    [
      'costs that nobody would pay',
      file({ ...scrypt, kdfparams: { ...scrypt.kdfparams, n: 2 ** 20, r: 64 } }),
      PASSWORD,
    ],
    ['costs that make no sense', file({ ...scrypt, kdfparams: { ...scrypt.kdfparams, n: 1000 } }), PASSWORD],
    ['costs that OpenSSL does not know', file(scrypt), PASSWORD],
    ['no JSON', 'secret', PASSWORD],
    ['nothing', 'null', PASSWORD],
  ])('with %s is refused, without a word of its contents', async (_, text, password) => {
    const fault = await openKeystore(text, password).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(KeyUnreadableError)
    expect((fault as Error).message).not.toMatch(/testpass|[0-9a-f]{16}/)
  })
})
