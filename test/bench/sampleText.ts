const WORDS =
  'parser migration invoice retry cache schema endpoint token queue render layout upload session cookie index shard replica backup metric alert webhook export import locale currency tax refund ledger audit policy'.split(
    ' ',
  );

/** The n-th of a fixed sequence of texts of about `length` characters; each holds the word `everywhere`. */
export function sampleText(n: number, length: number): string {
  let state = (n + 1) * 2654435761;
  let text = `everywhere rare${n}`;
  while (text.length < length) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += (state & 1023) < 24 ? '.\n' : ' ';
    text += WORDS[(state >>> 10) % WORDS.length];
  }
  return text;
}
