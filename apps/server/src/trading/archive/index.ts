export { ArchiveError } from './archive.rules.ts'
export { type Archives, createArchives } from './archive.service.ts'
export { verifyArchive } from './verify-archive.ts'
