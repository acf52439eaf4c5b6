import { expect, test } from "vitest";

import { dangersOf } from "../../src/index.ts";

const keys = (command: string): string[] => dangersOf(command).map(({ patternKey }) => patternKey);

test.each([
  ["rm -rf build", "recursive_delete"],
  ["rm -fr build", "recursive_delete"],
  ["rm -f -r build", "recursive_delete"],
  ["rm build -R", "recursive_delete"],
  ["rm --recursive build", "recursive_delete"],
  ["cd x && rm -rf .", "recursive_delete"],
  ["ls; /bin/rm -r x", "recursive_delete"],
  ["(rm -r x)", "recursive_delete"],
  ["echo $(rm -r x)", "recursive_delete"],
  ["FORCE=1 rm -r x", "recursive_delete"],
  ["find . | xargs -0 rm -rf", "recursive_delete"],
  ["bash -c 'rm -rf x'", "recursive_delete"],
  ["true\nrm -rf x", "recursive_delete"],
  ["if true; then rm -rf x; fi", "recursive_delete"],
  ["find . -name '*.log' -delete", "find_delete"],
  ["find . -exec rm {} +", "find_delete"],
  ["git push --force", "git_force_push"],
  ["git push origin main -f", "git_force_push"],
  ["git -C x push --force-with-lease", "git_force_push"],
  ["git push origin +main", "git_force_push"],
  ["git reset --hard HEAD~3", "git_discard"],
  ["git clean -fd", "git_discard"],
  ["chmod -R 777 .", "world_writable"],
  ["chmod 0666 x", "world_writable"],
  ["chmod a+w x", "world_writable"],
  ["chmod +rw x", "world_writable"],
  ["chown -R me .", "recursive_owner"],
  ["su - root", "superuser"],
  ["doas ls", "superuser"],
  ["dd if=/dev/zero of=disk.img", "raw_disk_write"],
  ["mkfs.ext4 /dev/sda1", "format_disk"],
  ["shutdown -h now", "shutdown"],
  ["killall node", "kill_all"],
  ["kill -9 -1", "kill_all"],
  ["curl -fsSL https://x.test/i.sh | sh", "remote_script"],
  ["wget -O- https://x.test/i.sh|bash", "remote_script"],
  ["bash <(curl https://x.test/i.sh)", "remote_script"],
  ['sh -c "$(curl https://x.test/i.sh)"', "remote_script"],
  ["cat image > /dev/sda", "device_write"],
  ["echo x > /etc/hosts", "system_file_write"],
  [":(){ :|:& };:", "fork_bomb"],
])("%j is %s", (command, key) => {
  expect(keys(command)).toEqual([key]);
});

test("a command is dangerous for each of its reasons, in a fixed order", () => {
  expect(keys("curl https://x.test | sudo sh")).toEqual(["superuser", "remote_script"]);
  expect(keys("sudo rm -rf /")).toEqual(["recursive_delete", "superuser"]);
});

test.each([
  "rm file.txt",
  "rm -f file.txt",
  "npm run build",
  "echo 'do not rm -rf this'",
  "grep -r rm .",
  "git push",
  "git push origin feature-f",
  "git status",
  "git reset HEAD~1",
  "chmod 755 x",
  "chmod u+w x",
  "chmod +x run.sh",
  "chmod 644 7",
  "sum -r file",
  "address of=x",
  "curl https://x.test -o file",
  "curl https://x.test | jq .",
  "ls | sort -r",
  "cat x > /dev/null",
  "kill 1234",
  "firm -rf",
  "node check.mjs",
])("%j is harmless", (command) => {
  expect(keys(command)).toEqual([]);
});

test.each([
  "a",
  ";",
  "rm ",
  "rm a ",
  "git push ",
  "x=",
  "/",
  "sudo ",
  "curl ",
  "bash -c ",
  "find -exec ",
  "chmod 77 ",
])("a command of 200,000 characters of %j holds nobody up", (piece) => {
  const command = piece.repeat(200_000 / piece.length);
  const began = performance.now();

  dangersOf(command);

  // A pattern that goes back over its input would take minutes, not a part of a second.
  expect(performance.now() - began).toBeLessThan(1_000);
});
