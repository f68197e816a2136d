/** A country of the invented register: who supervises there, what firms call themselves, and how its names are spelt. */
export interface Place {
  readonly state: string
  readonly authority: string
  readonly city: string
  /** Words that say "example": no firm is called like that. */
  readonly trades: readonly string[]
  readonly forms: readonly string[]
  /** A beginning and an end make a name. */
  readonly beginnings: readonly string[]
  readonly endings: readonly string[]
}

export const places: readonly Place[] = [
  {
    ...{ state: 'DE', authority: 'Bundesamt für Beispielaufsicht (BBA)', city: 'Musterstadt' },
    ...{ trades: ['Musterverwahrung', 'Beispielbörse'], forms: ['GmbH', 'AG'] },
    ...{ beginnings: ['Grüß', 'Föhr', 'Süd', 'Möwe', 'Räth'], endings: ['quell', 'tann', 'löh', 'mär', 'bühn'] },
  },
  {
    ...{ state: 'FR', authority: 'Autorité des Exemples Financiers (AEF)', city: 'Exempleville' },
    ...{ trades: ['Conservation Modèle', 'Échange Exemple'], forms: ['SAS', 'SA'] },
    ...{ beginnings: ['Évre', 'Çaul', 'Bœuv', 'Hêtr', 'Naïv'], endings: ['ière', 'ançon', 'oût', 'éville', 'œur'] },
  },
  {
    ...{ state: 'ES', authority: 'Comisión de Ejemplos (CE)', city: 'Villa Ejemplo' },
    ...{ trades: ['Custodia Ejemplar', 'Bolsa de Muestra'], forms: ['S.A.', 'S.L.'] },
    ...{ beginnings: ['Peñar', 'Ñand', 'Águil', 'Cigüe', 'Trébo'], endings: ['ón', 'ía', 'úña', 'illán', 'és'] },
  },
  {
    ...{ state: 'PL', authority: 'Urząd Nadzoru Przykładowego (UNP)', city: 'Przykładowo' },
    ...{ trades: ['Giełda Przykładowa', 'Wzorcowe Przechowanie'], forms: ['S.A.', 'Sp. z o.o.'] },
    ...{ beginnings: ['Łąk', 'Żabi', 'Ćmień', 'Dębo', 'Świerz'], endings: ['ów', 'owicz', 'ęcin', 'łęka', 'źno'] },
  },
  {
    ...{ state: 'CZ', authority: 'Česká ukázková banka (ČUB)', city: 'Ukázkov' },
    ...{ trades: ['Vzorová směnárna', 'Ukázková úschova'], forms: ['a.s.', 's.r.o.'] },
    ...{ beginnings: ['Říč', 'Žďár', 'Čáp', 'Šíp', 'Ďábl'], endings: ['any', 'ůvka', 'ěnice', 'ín', 'ková'] },
  },
  {
    ...{ state: 'SE', authority: 'Exempelinspektionen (EI)', city: 'Exempelstad' },
    ...{ trades: ['Exempelväxling', 'Mönsterförvaring'], forms: ['AB', 'AB (publ)'] },
    ...{ beginnings: ['Ång', 'Älv', 'Ört', 'Sjö', 'Björ'], endings: ['måla', 'åsen', 'fält', 'kärr', 'höjd'] },
  },
  {
    ...{ state: 'DK', authority: 'Eksempelstyrelsen (ES)', city: 'Eksempelby' },
    ...{ trades: ['Eksempelbørs', 'Mønsterdepot'], forms: ['A/S', 'ApS'] },
    ...{ beginnings: ['Ørs', 'Ær', 'Åbe', 'Grøn', 'Bræd'], endings: ['kov', 'lund', 'høj', 'strøm', 'gård'] },
  },
  {
    ...{ state: 'HU', authority: 'Magyar Mintafelügyelet (MMF)', city: 'Mintaváros' },
    ...{ trades: ['Példatőzsde', 'Mintaletétkezelő'], forms: ['Zrt.', 'Kft.'] },
    ...{ beginnings: ['Sző', 'Fűz', 'Gyöngy', 'Árnyé', 'Hús'], endings: ['lőd', 'várad', 'ösd', 'híd', 'űhely'] },
  },
  {
    ...{ state: 'LT', authority: 'Lietuvos pavyzdžių bankas (LPB)', city: 'Pavyzdžiai' },
    ...{ trades: ['Pavyzdinė Birža', 'Pavyzdinis Saugojimas'], forms: ['UAB', 'AB'] },
    ...{ beginnings: ['Žalė', 'Šilų', 'Čiurė', 'Ąžuo', 'Gęsi'], endings: ['liai', 'nė', 'šynas', 'ūnai', 'čiai'] },
  },
  {
    ...{ state: 'RO', authority: 'Autoritatea de Exemple (AE)', city: 'Exemplu' },
    ...{ trades: ['Bursă Exemplu', 'Custodie Model'], forms: ['S.A.', 'S.R.L.'] },
    ...{ beginnings: ['Țâr', 'Șer', 'Brăț', 'Mân', 'Cioc'], endings: ['băna', 'ești', 'ănești', 'uța', 'îrlia'] },
  },
]
