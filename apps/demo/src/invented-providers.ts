import { type Place, places } from './invented-places.ts'

type Cells = Readonly<Record<string, string>>

const services = [
  'a. providing custody and administration of crypto-assets on behalf of clients',
  'b. operation of a trading platform for crypto-assets',
  'c. exchange of crypto-assets for funds',
  'd. exchange of crypto-assets for other crypto-assets',
  'e. execution of orders for crypto-assets on behalf of clients',
  'j. providing transfer services for crypto-assets on behalf of clients',
] as const

const UPDATED = '12/01/2026'

/** How the same name is written by somebody without the right keyboard. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßłøæœđ]/gi, (letter) => ({ ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe' })[letter.toLowerCase()] ?? 'd')

/** The two digits at the end let the whole leave 1 when divided by 97, letters counted from 10 on (ISO 7064). */
function identifier(number: number): string {
  const body = `DEMO00${String(number).padStart(12, '0')}`
  let rest = 0
  for (const sign of `${body}00`)
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return `${body}${String(98 - rest).padStart(2, '0')}`
}

const dayOf = (number: number): string =>
  `${String((number % 28) + 1).padStart(2, '0')}/${String((number % 12) + 1).padStart(2, '0')}/${2024 + (number % 2)}`

interface Firm {
  readonly number: number
  readonly place: Place
  readonly name: string
  readonly stem: string
}

/** Every name of a place comes with its namesakes: another trade, another form, and a spelling without marks. */
function firmsOf(place: Place): Omit<Firm, 'number'>[] {
  const [trade = '', otherTrade = ''] = place.trades
  const [form = '', otherForm = ''] = place.forms
  return place.beginnings.flatMap((beginning) =>
    place.endings.flatMap((ending) => {
      const stem = `${beginning}${ending}`
      const names = [`${stem} ${trade} ${form}`, `${stem} ${otherTrade} ${form}`, `${stem} ${trade} ${otherForm}`]
      return [...names, `${plain(stem)} ${otherTrade} ${otherForm}`].map((name) => ({ place, name, stem }))
    }),
  )
}

const firms: readonly Firm[] = places.flatMap(firmsOf).map((firm, index) => ({ ...firm, number: index + 1 }))

function provider({ number, place, name, stem }: Firm): Cells {
  const [first, second] = [services[number % 6] ?? '', services[(number * 5 + 2) % 6] ?? '']
  const states = places.filter((_, index) => (number + index) % 3 === 0).map(({ state }) => state)
  return {
    ...{ ae_competentAuthority: place.authority, ae_homeMemberState: place.state, ae_lei_cou_code: place.state },
    ...{ ae_lei_name: name, ae_lei: identifier(number), ae_commercial_name: number % 3 === 0 ? `${stem} Demo` : '' },
    ae_address: `${(number % 90) + 1} ${place.city}`,
    ae_website: `https://${plain(stem).toLowerCase()}-${number}.example`,
    ac_authorisationNotificationDate: dayOf(number),
    ac_serviceCode: first === second ? first : `${first} | ${second}`,
    ac_serviceCode_cou: [...new Set([place.state, ...states])].join(' | '),
    ac_lastupdate: UPDATED,
  }
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The file of providers with a thousand invented ones behind those that it has: the same every time. */
export function withInventedProviders(text: string): string {
  const [header = ''] = text.replace(/^\uFEFF/, '').split('\r\n')
  const columns = header.split(',')
  const lines = firms.map((firm) => {
    const row = provider(firm)
    return `${columns.map((column) => cell(row[column] ?? '')).join(',')}\r\n`
  })
  return `${text}${lines.join('')}`
}
