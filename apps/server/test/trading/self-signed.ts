import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** One element of DER: its tag, its length, what it holds. */
function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)))
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const [SEQUENCE, SET, INTEGER, BITS, OCTETS, OID, TEXT, TIME, BOOLEAN] = [
  0x30, 0x31, 0x02, 0x03, 0x04, 0x06, 0x0c, 0x18, 0x01,
]
const ECDSA_SHA256 = der(SEQUENCE, der(OID, '2a8648ce3d040302'))
const time = (text: string) => der(TIME, Buffer.from(text))

const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`

/** A key and a certificate for 127.0.0.1 that signs itself: no key lies in the repository, and none ever expires there. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OID, '550403'), der(TEXT, Buffer.from('test feed')))))
  const authority = der(
    SEQUENCE,
    der(OID, '551d13'),
    der(BOOLEAN, 'ff'),
    der(OCTETS, der(SEQUENCE, der(BOOLEAN, 'ff'))),
  )
  const addresses = der(SEQUENCE, der(OID, '551d11'), der(OCTETS, der(SEQUENCE, der(0x87, '7f000001'))))
  const signed = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, '02')),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    name,
    der(SEQUENCE, time('20200101000000Z'), time('20990101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, authority, addresses)),
  )
  const certificate = der(SEQUENCE, signed, ECDSA_SHA256, der(BITS, '00', sign('sha256', signed, privateKey)))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', certificate),
  }
}
