import { type SeededRandom, seededRandom } from '@tallystick/testkit'

/** An invented entity, with the fields that a search looks into. */
export interface Invented {
  readonly name: string
  readonly identifier: string
  readonly commercialName: string
  readonly authority: string
  readonly homeState: string
}

const states = [
  'AT',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'HU',
  'IE',
  'IS',
  'IT',
  'LI',
  'LT',
  'LU',
]
const trades = [
  'Capital',
  'Digital',
  'Finance',
  'Bank',
  'Crypto',
  'Custody',
  'Assets',
  'Exchange',
  'Payments',
  'Trust',
  'Vermögen',
  'Société',
]
const forms = ['GmbH', 'AG', 'SA', 'S.p.A.', 'SAS', 'Ltd', 'B.V.', 'UAB', 'a.s.', 'SE']
const prefixes = ['5299', '9695', '8156', '2138', '9845', '3912']
const onsets = [
  'b',
  'br',
  'c',
  'd',
  'f',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'qu',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
  'z',
  '',
]
const vowels = ['a', 'e', 'i', 'o', 'u', 'ä', 'é', 'ø', 'ai', 'ou', 'y', 'ei']
const codas = ['', '', '', 'n', 'r', 'l', 's', 't', 'x', 'nd', 'rk', 'm', 'lt', 'v', 'ss', 'ck']
const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

function invent(random: SeededRandom): Invented {
  const word = () => {
    const syllable = () => random.pick(onsets) + random.pick(vowels) + random.pick(codas)
    const parts = Array.from({ length: random.integer(2, 3) }, syllable).join('')
    return parts.charAt(0).toUpperCase() + parts.slice(1)
  }
  const own = word()
  const homeState = random.pick(states)
  return {
    name: `${own} ${random.chance(0.4) ? `${word()} ` : ''}${random.pick(trades)} ${random.pick(forms)}`,
    identifier: `${random.pick(prefixes)}00${Array.from({ length: 14 }, () => random.pick([...signs])).join('')}`,
    commercialName: random.chance(0.5) ? `${own} ${random.pick(trades)}` : '',
    authority: `Financial Supervision Authority of ${homeState} (FSA${homeState})`,
    homeState,
  }
}

export function inventEntities(count: number, seed = 7): Invented[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => invent(random))
}

/** What people type: mostly the beginning of a name or a word, an identifier, part of a name; now and then something short or frequent. */
export function inventQueries(entities: readonly Invented[], count: number, seed = 11): string[] {
  const random = seededRandom(seed)
  const cut = (text: string, from: number, length: number) => text.slice(from, from + length).trim()
  const one = (): string => {
    const { name, identifier, authority } = random.pick(entities)
    const [first = ''] = name.split(' ')
    const draw = random.next()
    if (draw < 0.3) return cut(name, 0, random.integer(4, 12))
    if (draw < 0.5) return name
    if (draw < 0.6) return identifier
    if (draw < 0.65) return identifier.slice(0, random.integer(6, 12))
    if (draw < 0.8) return cut(name, random.integer(1, 6), random.integer(4, 9))
    if (draw < 0.85) return first.slice(0, random.integer(2, 3))
    if (draw < 0.9) return random.pick(trades)
    if (draw < 0.92) return random.pick(prefixes)
    if (draw < 0.94) return authority
    if (draw < 0.97) return cut(name, random.integer(1, 8), 2)
    return `${cut(name, 0, 6)}qzx`
  }
  return Array.from({ length: count }, () => {
    const query = one()
    return query.length < 2 ? `${query}a` : query
  })
}

/** Whole names with two neighbouring letters of the first word changed around. */
export function inventMistypes(entities: readonly Invented[], count: number, seed = 13): string[] {
  const random = seededRandom(seed)
  const long = entities.filter(({ name }) => (name.split(' ')[0] ?? '').length >= 5)
  return Array.from({ length: count }, () => {
    const { name } = random.pick(long)
    const at = random.integer(1, 3)
    return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2)
  })
}
