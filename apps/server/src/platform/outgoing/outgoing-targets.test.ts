import { describe, expect, it } from 'vitest'
import { createOutgoingTargets, type ResolvedAddress } from './outgoing-targets.ts'
import { isPublicAddress } from './public-address.ts'

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 })

describe('an address', () => {
  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:200::1',
  ])('of the public Internet may be spoken to: %s', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '0x7f.0.0.1',
  ])('of any other kind may not: %s', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a URL for messages', () => {
  const names: Record<string, ResolvedAddress[]> = {
    'public.example': [v4('93.184.215.14'), { address: '2606:4700::1', family: 6 }],
    'inside.example': [v4('10.1.2.3')],
    'mixed.example': [v4('93.184.215.14'), v4('127.0.0.1')],
    'mapped.example': [{ address: '::ffff:10.0.0.1', family: 6 }],
    'hooks.internal': [v4('10.9.9.9')],
  }
  const resolve = async (host: string) => {
    const found = names[host]
    if (!found) throw new Error('ENOTFOUND')
    return found
  }
  const targets = createOutgoingTargets({ allowedHosts: ' Hooks.internal:8080 , localhost,[::1]:9000', resolve })

  it('is taken with all its addresses when every one of them is public', async () => {
    const target = await targets.check('https://public.example:8443/a?b=c')
    expect(target.url.href).toBe('https://public.example:8443/a?b=c')
    expect(target.addresses).toEqual(names['public.example'])
    expect((await targets.check('https://8.8.8.8/')).addresses).toEqual([v4('8.8.8.8')])
    expect((await targets.check('https://[2606:4700::1]/')).addresses).toEqual([{ address: '2606:4700::1', family: 6 }])
  })

  it.each([
    ['nonsense', 'not a URL'],
    ['ftp://public.example/', 'must begin with https'],
    ['http://public.example/', 'must begin with https'],
    ['https://user:pass@public.example/', 'user name'],
    ['https://public.example/#top', 'fragment'],
    ['https://inside.example/', 'not public'],
    ['https://mixed.example/', 'not public'],
    ['https://mapped.example/', 'not public'],
    ['https://unknown.example/', 'does not resolve'],
    ['https://127.0.0.1/', 'not public'],
    ['https://2130706433/', 'not public'],
    ['https://0x7f.1/', 'not public'],
    ['https://0177.0.0.1/', 'not public'],
    ['https://[::1]/', 'not public'],
    ['https://[::ffff:8.8.8.8]/', 'not public'],
    ['https://hooks.internal/', 'not public'],
    ['http://hooks.internal:8081/', 'must begin with https'],
  ])('is refused with a sentence: %s', async (url, sentence) => {
    await expect(targets.check(url)).rejects.toThrow(sentence)
  })

  it('may use http and lie inside when the operator says so, on that port or on any', async () => {
    const inside = createOutgoingTargets({ allowedHosts: 'hooks.internal:8080,127.0.0.1,[::1]:9000', resolve })
    expect((await inside.check('http://hooks.internal:8080/')).addresses).toEqual([v4('10.9.9.9')])
    expect((await inside.check('http://127.0.0.1:5/')).addresses).toEqual([v4('127.0.0.1')])
    expect((await inside.check('http://[::1]:9000/')).addresses).toEqual([{ address: '::1', family: 6 }])
    await expect(inside.check('http://[::1]:9001/')).rejects.toThrow('https')
  })
})
