import { type LicenseType, type RegisterFile, registerFiles } from '@tallystick/wire'

/** How one of the files is laid out. Columns are found by name; nameless ones hold nothing. */
export interface Layout {
  readonly file: RegisterFile
  readonly licenseType: LicenseType
  readonly entityType: 'provider' | 'issuer' | 'whitepaper' | 'non_compliant'
  readonly columns: readonly string[]
}

const leading = 'ae_competentAuthority ae_homeMemberState ae_lei_name ae_lei ae_lei_cou_code'
const words = (text: string): string[] => text.split(' ')

const layouts: Readonly<Record<RegisterFile, Layout>> = {
  CASPS: {
    file: 'CASPS',
    licenseType: 'CASP',
    entityType: 'provider',
    columns: words(
      `${leading} ae_commercial_name ae_address ae_website ae_website_platform ac_authorisationNotificationDate ac_authorisationEndDate ac_serviceCode ac_serviceCode_cou ac_comments ac_lastupdate`,
    ),
  },
  ARTZZ: {
    file: 'ARTZZ',
    licenseType: 'ART',
    entityType: 'issuer',
    columns: words(
      `${leading} ae_commercial_name ae_address ae_website ac_authorisationNotificationDate ac_authorisationEndDate ae_credit_institution wp_url wp_authorisationNotificationDate wp_url_cou wp_comments wp_lastupdate`,
    ),
  },
  EMTWP: {
    file: 'EMTWP',
    licenseType: 'EMT',
    entityType: 'issuer',
    columns: words(
      `${leading} ae_commercial_name ae_address ae_website ac_authorisationNotificationDate ac_authorisationEndDate ae_exemption48_4 ae_exemption48_5 ae_authorisation_other_emt ae_DTI_FFG ae_DTI wp_url wp_authorisationNotificationDate wp_comments wp_lastupdate`,
    ),
  },
  OTHER: {
    file: 'OTHER',
    licenseType: 'OTHER',
    entityType: 'whitepaper',
    columns: words(
      `${leading} ae_lei_name_casp ae_lei_casp ae_offerCode_cou ae_DTI_FFG ae_DTI wp_url wp_comments wp_lastupdate`,
    ),
  },
  NCASP: {
    file: 'NCASP',
    licenseType: 'NON_COMPLIANT',
    entityType: 'non_compliant',
    columns: words(
      `${leading} ae_commercial_name ae_website ae_infrigment ae_reason ae_decision_date ae_comments ae_lastupdate`,
    ),
  },
}

/** Which file a path or an address names, if it does. */
export function fileNamedBy(source: string): RegisterFile | null {
  const name = source.split(/[?#]/)[0]?.split(/[/\\]/).at(-1)?.toUpperCase() ?? ''
  return registerFiles.find((file) => new RegExp(`(^|[^A-Z])${file}([^A-Z]|$)`).test(name)) ?? null
}

const named = (header: readonly string[]): string[] => header.map((cell) => cell.trim()).filter((name) => name !== '')

/** The layout that a header announces: all columns of the file, each once; further ones are passed over. */
export function layoutOf(header: readonly string[]): Layout | null {
  const names = named(header)
  if (new Set(names).size < names.length) return null
  // Some columns of one file may be a subset of another's, so the fullest match is meant.
  const matches = Object.values(layouts).filter(({ columns }) => columns.every((column) => names.includes(column)))
  return matches.sort((a, b) => b.columns.length - a.columns.length)[0] ?? null
}

/** Whether a record says the header once more. */
export function isHeader(cells: readonly string[], layout: Layout): boolean {
  const said = new Set(cells.map((cell) => cell.replace(/^\uFEFF/, '').trim()))
  return layout.columns.every((column) => said.has(column))
}
