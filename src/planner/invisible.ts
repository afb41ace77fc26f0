/**
 * Characters that show nothing or turn the order of others round. A model reads them all the same, so a person who decides
 * about a text must see that they are there. Joiners (U+200C, U+200D), variation selectors of emoji and the marks of direction
 * that right-to-left texts need are no secret.
 */
const INVISIBLE =
  /(?!\u200C|\u200D|\u200E|\u200F|\u061C|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|(?![\t\n])\p{Cc}/gu;

/** The text with such characters as `⟨U+202E⟩`. */
export function withInvisibleShown(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}
