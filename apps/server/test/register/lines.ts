import type { RegisterFile } from '@tallystick/wire'

const leading = ['ae_competentAuthority', 'ae_homeMemberState', 'ae_lei_name', 'ae_lei', 'ae_lei_cou_code']

/** The headers of the five files as they are published, nameless columns included. */
export const headers: Readonly<Record<RegisterFile, readonly string[]>> = {
  CASPS: [
    ...leading,
    ...['ae_commercial_name', 'ae_address', 'ae_website', 'ae_website_platform', 'ac_authorisationNotificationDate'],
    ...['ac_authorisationEndDate', 'ac_serviceCode', 'ac_serviceCode_cou', 'ac_comments', 'ac_lastupdate', ''],
  ],
  ARTZZ: [
    ...leading,
    ...[
      'ae_commercial_name',
      'ae_address',
      'ae_website',
      'ac_authorisationNotificationDate',
      'ac_authorisationEndDate',
    ],
    ...[
      'ae_credit_institution',
      'wp_url',
      'wp_authorisationNotificationDate',
      'wp_url_cou',
      'wp_comments',
      'wp_lastupdate',
    ],
  ],
  EMTWP: [
    ...leading,
    ...[
      'ae_commercial_name',
      'ae_address',
      'ae_website',
      'ac_authorisationNotificationDate',
      'ac_authorisationEndDate',
    ],
    ...['ae_exemption48_4', 'ae_exemption48_5', 'ae_authorisation_other_emt', 'ae_DTI_FFG', 'ae_DTI', 'wp_url'],
    ...['wp_authorisationNotificationDate', 'wp_comments', 'wp_lastupdate'],
  ],
  OTHER: [
    ...leading,
    ...['ae_lei_name_casp', 'ae_lei_casp', 'ae_offerCode_cou', 'ae_DTI_FFG', 'ae_DTI', 'wp_url', 'wp_comments'],
    ...['wp_lastupdate', '', '', '', ''],
  ],
  NCASP: [
    ...leading,
    ...[
      'ae_commercial_name',
      'ae_website',
      'ae_infrigment',
      'ae_reason',
      'ae_decision_date',
      'ae_comments',
      'ae_lastupdate',
    ],
  ],
}

export type Cells = Readonly<Record<string, string>>

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** One row as the publisher would write it. */
export const lineOf = (file: RegisterFile, cells: Cells): string =>
  headers[file].map((name) => quoted(name === '' ? '' : (cells[name] ?? ''))).join(',')

/** A whole file: byte order mark, header, rows ended by CRLF. */
export function fileOf(file: RegisterFile, rows: readonly (Cells | string)[]): Buffer {
  const lines = rows.map((row) => (typeof row === 'string' ? row : lineOf(file, row)))
  return Buffer.from(`\uFEFF${[headers[file].join(','), ...lines].map((line) => `${line}\r\n`).join('')}`)
}

/** A provider with nothing wrong about it. */
export const provider = (cells: Cells): Cells => ({
  ae_competentAuthority: 'Finanzaufsicht Beispielland (FAB)',
  ae_homeMemberState: 'DE',
  ae_lei_cou_code: 'DE',
  ac_authorisationNotificationDate: '14/03/2025',
  ac_serviceCode: 'a. providing custody and administration of crypto-assets on behalf of clients',
  ac_serviceCode_cou: 'AT | DE | FR',
  ac_lastupdate: '20/03/2025',
  ...cells,
})
