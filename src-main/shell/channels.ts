/** The two messages between the window and the program: a call with its reply, and an event. There are no others. */
export const callChannel = 'boxyard:call'
export const eventChannel = 'boxyard:event'
