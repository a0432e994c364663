import { resolve } from 'node:path'

// Workers, and the many commands and servers that tests start, then begin with what Node compiled before.
process.env['NODE_COMPILE_CACHE'] ??= resolve(
  import.meta.dirname,
  '../../node_modules/.cache/node-compile-cache'
)
