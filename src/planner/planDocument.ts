import type { PlanSections } from './model';

/** Text of a plan file (seed, section 8.1). `parsePlan(formatPlan(x)).sections` equals x for every legal x. */
export function formatPlan(_sections: PlanSections): string {
  throw new Error('unwritten');
}

export interface ParsedPlan {
  /** Sections whose heading the file has. */
  sections: Partial<PlanSections>;
  /** Text above the first heading; '' if none. It belongs to the person and is never dropped. */
  preamble: string;
}

/** Reads a plan file as people and editors leave them: CRLF, a BOM, missing or repeated headings. */
export function parsePlan(_text: string): ParsedPlan {
  throw new Error('unwritten');
}
