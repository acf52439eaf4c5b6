import type { Danger } from "../tools/tool.ts";

interface Pattern extends Danger {
  readonly matches: RegExp;
}

/** A stretch of one simple command. Bounded, so that no command makes a pattern slow. */
const rest = "[^;|&\\n]{0,500}";
/** Words of one simple command, as few as will do. */
const words = "(?:[^\\s;|&]+\\s+){0,50}?";
/** Words that only run another command. */
const runner = [
  String.raw`(?:\w+=[^\s;|&]*|command|exec|nohup|time|env|then|do|else|sudo|doas|xargs(?:\s+-\S+)*)\s+`,
  String.raw`(?:(?:ba|z|da|k)?sh\s+-\w*c|eval)\s+["']?`,
].join("|");
/** Where a command can begin: the start, after a separator, after a runner; by its name or its path. */
const begin = String.raw`(?:^|[;&|(\n{\x60])\s*(?:${runner})*(?:[^\s;|&(){}"']*/)?`;

const patterns: readonly Pattern[] = [
  pattern(
    "recursive_delete",
    "deletes folders with everything in them",
    `rm\\s+${words}(?:-[a-z]*r|--recursive)`,
  ),
  pattern(
    "find_delete",
    "deletes every file that it finds",
    `find\\s${rest}(?:-delete\\b|-exec\\s+\\S*rm\\b)`,
  ),
  pattern(
    "git_force_push",
    "overwrites the history of a remote repository",
    `git\\s${rest}\\bpush\\b${rest}\\s(?:--force|--mirror|-[a-z]*f\\b|\\+\\S)`,
  ),
  pattern(
    "git_discard",
    "throws away changes that were not committed",
    `git\\s${rest}\\b(?:reset\\s${rest}--hard\\b|clean\\s${rest}-[a-z]*f)`,
  ),
  pattern(
    "world_writable",
    "lets everybody write",
    `chmod\\s+${words}(?:[0-7]{0,3}[2367]\\b(?=\\s)|[ugo]*[ao][ugo]*[+=][rxt]*w|\\+[rxt]*w)`,
  ),
  pattern(
    "recursive_owner",
    "changes the owner of everything below a folder",
    `ch(?:own|grp)\\s+${words}(?:-[a-z]*r|--recursive)`,
  ),
  pattern("superuser", "runs with the rights of the administrator", "(?:sudo|doas|su)\\b"),
  pattern("raw_disk_write", "writes over files or disks byte by byte", `dd\\s${rest}\\bof=`),
  pattern(
    "format_disk",
    "makes a new file system on a disk",
    "(?:mkfs(?:\\.\\w+)?|wipefs|fdisk|parted)\\b",
  ),
  pattern("shutdown", "stops the machine", "(?:shutdown|reboot|halt|poweroff)\\b"),
  pattern(
    "kill_all",
    "ends processes that it did not start",
    "(?:(?:pkill|killall)\\b|kill\\s+(?:-\\w+\\s+)?-1\\b)",
  ),
  {
    patternKey: "remote_script",
    description: "runs a script that it fetches from the network",
    matches: new RegExp(
      [
        String.raw`\b(?:curl|wget)\b[^;\n]{0,2000}\|\s*(?:sudo\s+)?(?:\S{0,200}/)?(?:ba|z|da|k|fi)?sh\b`,
        String.raw`\b(?:ba|z|da|k|fi)?sh\s+(?:-\w*c\s+)?["']?(?:<\(|\$\(|\x60)\s*(?:curl|wget)\b`,
      ].join("|"),
    ),
  },
  {
    patternKey: "device_write",
    description: "writes straight to a disk",
    matches: />\s*\/dev\/(?:sd|hd|nvme|disk|mmcblk)/,
  },
  {
    patternKey: "system_file_write",
    description: "changes files of the system",
    matches: />\s*\/(?:etc|boot|usr|bin|sbin|lib)\//,
  },
  {
    patternKey: "fork_bomb",
    description: "starts processes without end",
    matches: /:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:/,
  },
];

/**
 * What of a shell command needs a human's yes, each kind once, in a fixed order. A net for accidents, not a wall: a
 * command that means to hide what it does (`eval`, base64, a script written before) gets past any such table.
 */
export function dangersOf(command: string): readonly Danger[] {
  return patterns
    .filter(({ matches }) => matches.test(command))
    .map(({ patternKey, description }) => ({ patternKey, description }));
}

function pattern(patternKey: string, description: string, command: string): Pattern {
  return { patternKey, description, matches: new RegExp(`${begin}(?:${command})`, "i") };
}
