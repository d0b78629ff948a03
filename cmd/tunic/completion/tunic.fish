# Completes command lines of tunic in fish: tunic completion fish > ~/.config/fish/completions/tunic.fish
function __tunic_complete
	set -l words (commandline -opc) (commandline -ct)
	set -l found ($words[1] complete -- $words[2..] 2>/dev/null)
	if test (count $found) -gt 0
		printf '%s\n' $found
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c tunic -f -a '(__tunic_complete)'
