/** A backup that cannot be written, or cannot be trusted: cut short, changed, or of another kind. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
