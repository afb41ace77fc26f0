import { join } from 'node:path';
import { zipSync } from 'fflate';

/** A skill's folder bears its name, wherever it lies. */
export const SKILL_FOLDER = '9plan';
export const SKILL_FILE = 'SKILL.md';

/** Where agents look for skills; a skill is a folder in one of these. All paths are absolute. */
export interface SkillPlace {
  /** Names of products, which are not translated. */
  readonly agents: string;
  readonly scope: 'person' | 'project';
  readonly folder: string;
}

const READERS: readonly [agents: string, path: readonly string[]][] = [
  ['Claude Code', ['.claude', 'skills']],
  ['Codex, Cursor, Gemini CLI, opencode, openclaw', ['.agents', 'skills']],
];

export function skillPlaces(home: string, project: string | undefined): SkillPlace[] {
  const below = (folder: string | undefined, scope: SkillPlace['scope']) =>
    folder === undefined ? [] : READERS.map(([agents, path]) => ({ agents, scope, folder: join(folder, ...path) }));
  return [...below(home, 'person'), ...below(project, 'project')];
}

/** The skill for a server that lists its tools under names without a leading digit. */
export function withoutLeadingDigits(skill: string): string {
  return skill.replaceAll('9plan_', 'nineplan_');
}

/** The skill's folder as a zip; the same bytes for the same skill. */
export function skillZip(skill: string): Uint8Array {
  const date = new Date(2000, 0, 1);
  return zipSync({ [`${SKILL_FOLDER}/${SKILL_FILE}`]: new TextEncoder().encode(skill) }, { mtime: date });
}
