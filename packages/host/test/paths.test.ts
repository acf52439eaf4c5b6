import { homedir } from "node:os";
import { join, resolve } from "node:path";

import { expect, test } from "vitest";

import { journalDirectory, observerHome } from "../src/index.ts";

test("HERMES_OBSERVER_HOME wins over every platform's folder", () => {
  const env = {
    HERMES_OBSERVER_HOME: "/srv/observer",
    XDG_DATA_HOME: "/data",
    LOCALAPPDATA: "C:\\Local",
  };

  for (const platform of ["linux", "darwin", "win32"] as const) {
    expect(observerHome(env, platform)).toBe("/srv/observer");
  }
});

test("a relative HERMES_OBSERVER_HOME becomes absolute", () => {
  expect(observerHome({ HERMES_OBSERVER_HOME: "here" }, "linux")).toBe(resolve("here"));
});

test("an empty variable counts as not set", () => {
  const env = { HERMES_OBSERVER_HOME: "", XDG_DATA_HOME: "", HOME: "/home/ada" };

  expect(observerHome(env, "linux")).toBe("/home/ada/.local/share/hermes-observer");
});

test("each platform has its data folder", () => {
  const env = { HOME: "/home/ada", USERPROFILE: "/users/ada" };

  expect(observerHome({ ...env, XDG_DATA_HOME: "/data" }, "linux")).toBe("/data/hermes-observer");
  expect(observerHome(env, "linux")).toBe("/home/ada/.local/share/hermes-observer");
  expect(observerHome(env, "darwin")).toBe("/home/ada/Library/Application Support/hermes-observer");
  expect(observerHome({ ...env, LOCALAPPDATA: "/local" }, "win32")).toBe("/local/hermes-observer");
  expect(observerHome(env, "win32")).toBe("/users/ada/AppData/Local/hermes-observer");
});

test("a relative XDG_DATA_HOME is ignored", () => {
  expect(observerHome({ XDG_DATA_HOME: "data", HOME: "/home/ada" }, "linux")).toBe(
    "/home/ada/.local/share/hermes-observer",
  );
});

test("without any variable the system's home folder serves", () => {
  expect(observerHome({}, "linux")).toBe(join(homedir(), ".local", "share", "hermes-observer"));
});

test("recordings lie in the journal folder of the home", () => {
  expect(journalDirectory({ HERMES_OBSERVER_HOME: "/srv/observer" })).toBe("/srv/observer/journal");
});
