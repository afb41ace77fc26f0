/** Characters, without the extension. */
const LONGEST = 60;

/** Letters and digits of any script, joined by hyphens; never a name that Windows keeps for itself. */
export function fileName(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  let name = '';
  for (const word of words) {
    const longer = name === '' ? Array.from(word).slice(0, LONGEST).join('') : `${name}-${word}`;
    if (Array.from(longer).length > LONGEST) break;
    name = longer;
  }
  return name === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/.test(name) ? `plan${name && '-'}${name}` : name;
}
