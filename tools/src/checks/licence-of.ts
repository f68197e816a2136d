import type { Manifest } from './lock-file.ts'

/** Packages whose manifest is silent, with the licence that the file they ship states. */
const readFromTheirFiles: Readonly<Record<string, string>> = { 'png-js@2.0.0': 'MIT' }

/** Old manifests say `{ type }` or a list of such objects instead of an SPDX text; a list offers a choice. */
export function licenceOf(manifest: Manifest): string | undefined {
  const stated = manifest.license ?? manifest.licenses
  const names = (Array.isArray(stated) ? stated : [stated]).map((each: unknown) =>
    typeof each === 'object' && each !== null && 'type' in each ? each.type : each,
  )
  const texts = names.filter((name): name is string => typeof name === 'string' && name.trim() !== '')
  if (texts.length > 1) return texts.map((text) => `(${text})`).join(' OR ')
  return texts[0] ?? readFromTheirFiles[`${manifest.name}@${manifest.version}`]
}
