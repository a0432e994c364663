import { z } from 'zod'

// The validators of the contract would try whether they may compile themselves, which the content security policy forbids
// and reports. To be imported before any of them.
z.config({ jitless: true })
