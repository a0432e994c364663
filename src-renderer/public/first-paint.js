// Runs before anything is painted, and therefore stands alone: the theme chosen last time, if it is not the system's.
try {
  const chosen = localStorage.getItem('appearance')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Nothing is kept here: the theme of the system it is.
}
