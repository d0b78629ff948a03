#compdef tunic
# Completes command lines of tunic in zsh: source <(tunic completion zsh), behind compinit
_tunic() {
	local line
	local -a found
	for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
		[[ -n $line ]] && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
	done
	if (( ${#found} )); then
		_describe tunic found
	else
		_files
	fi
}
if [[ ${funcstack[1]} == _tunic ]]; then
	_tunic "$@"
else
	compdef _tunic tunic
fi
