/**
 * JSON text that the database wrote. On a busy list, turning rows into objects and objects into text again is most of the work;
 * the text goes to the caller as it is. The type parameter says what it holds.
 */
export class RawJson<T> {
  readonly text: string
  declare readonly holds: T

  constructor(text: string) {
    this.text = text
  }
}
