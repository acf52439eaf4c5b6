declare module "fast-redact";
